//! XML-RPC as agencies' software sends it: calls, responses and bare values, read as JSON.
//!
//! Agencies deliver recordings of sessions: several XML documents in a row, or structs within any other elements. So this
//! reader skips everything around calls, responses and values, and keeps a malformed number as a text. The crate `dxr`
//! (0.9) does not serve here: it reads exactly one document, and a malformed value fails the whole document without its
//! position.

use std::io::BufRead;

use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, Event};
use serde_json::{Map, Number, Value};

/// The deepest nesting of elements; a nested value takes three. Portals' definitions need three nested values.
const DEEPEST: usize = 100;

/// One message of a recording.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// A `methodCall`.
    Call {
        /// The name of the method.
        method: String,
        /// The parameters.
        params: Vec<Value>,
    },
    /// A `methodResponse`. A fault is a value like any other.
    Response(Vec<Value>),
    /// A `struct` or an `array` outside of calls and responses.
    Bare(Value),
}

/// Why XML-RPC could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum XmlRpcError {
    /// The text is not well-formed XML in UTF-8.
    #[error("byte {at}: broken XML: {reason}")]
    Xml {
        /// The position, in bytes from the start.
        at: u64,
        /// What the XML parser reports.
        reason: String,
    },
    /// The text ends inside an element.
    #[error("the text ends inside <{inside}>: it was cut off; pass the whole text")]
    CutOff {
        /// The element that has no end.
        inside: String,
    },
    /// An element is where XML-RPC does not allow one of that name.
    #[error("byte {at}: found <{found}>, expected <{expected}>")]
    Misplaced {
        /// The position, in bytes from the start.
        at: u64,
        /// The element that was found.
        found: String,
        /// The element that XML-RPC allows there.
        expected: &'static str,
    },
    /// Elements are nested too deep.
    #[error("byte {at}: elements are nested more than {DEEPEST} deep")]
    TooDeep {
        /// The position, in bytes from the start.
        at: u64,
    },
}

/// Reads the messages of a text, in their order.
///
/// If a struct has two members of one name, the last one wins. Attachments (`base64`) are read as null, because no field
/// holds a file. A number that does not parse stays a text.
///
/// # Errors
/// [`XmlRpcError`] says where the text is broken. The messages before that place have been returned by then.
pub fn messages<R: BufRead>(source: R) -> Messages<R> {
    let mut reader = Reader::from_reader(source);
    reader.config_mut().expand_empty_elements = true;
    Messages {
        reader,
        buffer: Vec::new(),
        depth: 0,
        failed: false,
    }
}

/// The iterator that [`messages`] returns.
pub struct Messages<R> {
    reader: Reader<R>,
    buffer: Vec<u8>,
    /// How many elements are open within the message.
    depth: usize,
    failed: bool,
}

/// A piece of XML that has a meaning in XML-RPC.
enum Token {
    Start(String),
    End,
    Text(String),
    Eof,
}

type Result<T> = std::result::Result<T, XmlRpcError>;

impl<R: BufRead> Iterator for Messages<R> {
    type Item = Result<Message>;

    fn next(&mut self) -> Option<Result<Message>> {
        if self.failed {
            return None;
        }
        let message = self.next_message().transpose();
        self.failed = matches!(message, Some(Err(_)));
        message
    }
}

impl<R: BufRead> Messages<R> {
    fn next_message(&mut self) -> Result<Option<Message>> {
        loop {
            let message = match self.token()? {
                Token::Start(name) => match name.as_str() {
                    "methodCall" => self.call()?,
                    "methodResponse" => Message::Response(self.values("methodResponse")?),
                    "struct" => Message::Bare(self.structure()?),
                    "array" => Message::Bare(self.array()?),
                    _ => continue,
                },
                Token::End | Token::Text(_) => continue,
                Token::Eof => return Ok(None),
            };
            return Ok(Some(message));
        }
    }

    /// Reads the content of an element: calls `child` after the start of each child element, which `child` has to read
    /// to its end, and returns the text between the children.
    fn content(
        &mut self,
        element: &str,
        mut child: impl FnMut(&mut Self, &str) -> Result<()>,
    ) -> Result<String> {
        if self.depth >= DEEPEST {
            return Err(XmlRpcError::TooDeep {
                at: self.reader.buffer_position(),
            });
        }
        self.depth += 1;
        let mut text = String::new();
        loop {
            match self.token()? {
                Token::Start(name) => child(self, &name)?,
                Token::Text(piece) => text.push_str(&piece),
                Token::End => break,
                Token::Eof => {
                    return Err(XmlRpcError::CutOff {
                        inside: element.to_owned(),
                    });
                }
            }
        }
        self.depth -= 1;
        Ok(text)
    }

    /// Reads the text of an element that has no child elements.
    fn text(&mut self, element: &str) -> Result<String> {
        self.content(element, |reader, found| {
            Err(reader.misplaced(found, "a text"))
        })
    }

    fn call(&mut self) -> Result<Message> {
        let (mut method, mut params) = (String::new(), Vec::new());
        self.content("methodCall", |reader, name| {
            if name == "methodName" {
                reader.text(name)?.trim().clone_into(&mut method);
            } else {
                params.append(&mut reader.values(name)?);
            }
            Ok(())
        })?;
        Ok(Message::Call { method, params })
    }

    /// Reads the values anywhere within an element.
    fn values(&mut self, element: &str) -> Result<Vec<Value>> {
        let mut values = Vec::new();
        self.content(element, |reader, name| {
            if name == "value" {
                values.push(reader.value()?);
            } else {
                values.append(&mut reader.values(name)?);
            }
            Ok(())
        })?;
        Ok(values)
    }

    /// Reads the content of a `value`. Text without an element around it is a string.
    fn value(&mut self) -> Result<Value> {
        let mut typed = None;
        let text = self.content("value", |reader, name| {
            typed = Some(match name {
                "struct" => reader.structure()?,
                "array" => reader.array()?,
                scalar => scalar_value(scalar, reader.text(scalar)?),
            });
            Ok(())
        })?;
        Ok(typed.unwrap_or(Value::String(text)))
    }

    fn structure(&mut self) -> Result<Value> {
        let mut fields = Map::new();
        self.content("struct", |reader, found| {
            if found != "member" {
                return Err(reader.misplaced(found, "member"));
            }
            let (name, value) = reader.member()?;
            fields.insert(name, value);
            Ok(())
        })?;
        Ok(Value::Object(fields))
    }

    fn member(&mut self) -> Result<(String, Value)> {
        let (mut name, mut value) = (String::new(), Value::Null);
        self.content("member", |reader, element| {
            match element {
                "name" => reader.text(element)?.trim().clone_into(&mut name),
                "value" => value = reader.value()?,
                found => return Err(reader.misplaced(found, "name or value")),
            }
            Ok(())
        })?;
        Ok((name, value))
    }

    fn array(&mut self) -> Result<Value> {
        let mut values = Vec::new();
        self.content("array", |reader, found| {
            if found == "data" {
                reader.content(found, |reader, found| reader.item(found, &mut values))?;
                return Ok(());
            }
            reader.item(found, &mut values)
        })?;
        Ok(Value::Array(values))
    }

    /// Reads one item of an array.
    fn item(&mut self, found: &str, values: &mut Vec<Value>) -> Result<()> {
        if found != "value" {
            return Err(self.misplaced(found, "value"));
        }
        values.push(self.value()?);
        Ok(())
    }

    fn token(&mut self) -> Result<Token> {
        loop {
            self.buffer.clear();
            let event = self.reader.read_event_into(&mut self.buffer);
            let token = match event {
                Ok(Event::Start(start)) => {
                    Ok(Token::Start(start.local_name().into_inner().to_owned()))
                }
                Ok(Event::End(_)) => Ok(Token::End),
                Ok(Event::Text(text)) => Ok(Token::Text(text.xml10_content().into_owned())),
                Ok(Event::CData(text)) => Ok(Token::Text(text.xml10_content().into_owned())),
                Ok(Event::GeneralRef(reference)) => resolve_entity(&reference).map(Token::Text),
                Ok(Event::Eof) => Ok(Token::Eof),
                Ok(
                    Event::Decl(_)
                    | Event::PI(_)
                    | Event::Comment(_)
                    | Event::DocType(_)
                    | Event::Empty(_),
                ) => {
                    continue;
                }
                Err(error) => Err(error.to_string()),
            };
            return token.map_err(|reason| XmlRpcError::Xml {
                at: self.reader.buffer_position(),
                reason,
            });
        }
    }

    fn misplaced(&self, found: &str, expected: &'static str) -> XmlRpcError {
        XmlRpcError::Misplaced {
            at: self.reader.buffer_position(),
            found: found.to_owned(),
            expected,
        }
    }
}

/// Resolves `&amp;` or `&#225;`. XML-RPC has no entities of a document's own.
fn resolve_entity(reference: &BytesRef) -> std::result::Result<String, String> {
    if let Some(letter) = reference
        .resolve_char_ref()
        .map_err(|error| error.to_string())?
    {
        return Ok(letter.to_string());
    }
    let name = reference.xml10_content();
    resolve_xml_entity(&name)
        .map(str::to_owned)
        .ok_or_else(|| format!("the entity &{name}; is not known"))
}

/// Converts the text of a scalar element to a value. A date stays a text.
fn scalar_value(element: &str, text: String) -> Value {
    let number = match (element, text.trim()) {
        ("int" | "i4" | "i8", digits) => digits.parse::<i64>().ok().map(Number::from),
        ("double", digits) => digits.parse().ok().and_then(Number::from_f64),
        ("boolean", "1" | "true") => return Value::Bool(true),
        ("boolean", "0" | "false") => return Value::Bool(false),
        ("base64" | "nil", _) => return Value::Null,
        _ => None,
    };
    number.map_or(Value::String(text), Value::Number)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read_messages(text: &str) -> Result<Vec<Message>> {
        messages(text.as_bytes()).collect()
    }

    #[test]
    fn values_of_every_type_are_read() {
        let text = "<value><struct>
            <member><name>i</name><value><int> 7 </int></value></member>
            <member><name>i</name><value><i4>-8</i4></value></member>
            <member><name>d</name><value><double>4.5</double></value></member>
            <member><name>b</name><value><boolean>1</boolean></value></member>
            <member><name>s</name><value><string>B&amp;B &#225;<![CDATA[ <b>]]></string></value></member>
            <member><name>u</name><value>bare text</value></member>
            <member><name>e</name><value><string/></value></member>
            <member><name>t</name><value><dateTime.iso8601>20260101T00:00:00</dateTime.iso8601></value></member>
            <member><name>f</name><value><base64>AAAA</base64></value></member>
            <member><name>n</name><value><int>many</int></value></member>
            <member><name>a</name><value><array><data><value><int>1</int></value><value>x</value></data></array></value></member>
        </struct></value>";
        let expected = json!({"i": -8, "d": 4.5, "b": true, "s": "B&B á <b>", "u": "bare text", "e": "",
            "t": "20260101T00:00:00", "f": null, "n": "many", "a": [1, "x"]});
        assert_eq!(read_messages(text).unwrap(), [Message::Bare(expected)]);
    }

    #[test]
    fn a_recorded_session_is_read_call_by_call() {
        let text = "<?xml version='1.0'?><methodCall><methodName>login</methodName><params><param><value>abc</value>\
            </param></params></methodCall>\n<?xml version='1.0'?>\n<methodResponse><params><param><value><struct>\
            <member><name>status</name><value><int>200</int></value></member></struct></value></param></params>\
            </methodResponse><methodCall><methodName>logout</methodName></methodCall>";
        let call = |method: &str, params| Message::Call {
            method: method.to_owned(),
            params,
        };
        assert_eq!(
            read_messages(text).unwrap(),
            [
                call("login", vec![json!("abc")]),
                Message::Response(vec![json!({"status": 200})]),
                call("logout", vec![])
            ]
        );
    }

    #[test]
    fn an_error_says_where_the_text_is_broken() {
        for (text, error) in [
            (
                "<methodCall><methodName>x",
                "the text ends inside <methodName>: it was cut off; pass the whole text",
            ),
            (
                "<struct><value/></struct>",
                "byte 16: found <value>, expected <member>",
            ),
            (
                "<value><struct>&own;</struct></value>",
                "byte 20: broken XML: the entity &own; is not known",
            ),
        ] {
            assert_eq!(read_messages(text).unwrap_err().to_string(), error);
        }
        assert!(matches!(
            read_messages("<array><value></data></array>"),
            Err(XmlRpcError::Xml { .. })
        ));
        let deep = "<array><data><value>".repeat(50);
        assert!(matches!(
            read_messages(&deep),
            Err(XmlRpcError::TooDeep { .. })
        ));
        assert_eq!(read_messages("no xml at all").unwrap(), []);
    }
}
