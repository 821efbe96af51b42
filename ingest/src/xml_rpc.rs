//! XML-RPC as agencies' software speaks it: calls, answers and bare values, one after the other, read as JSON.
//!
//! A recording of a session is several XML documents in a row; a dump is values in whatever element. So everything
//! around calls, answers and values is passed over.

use std::io::BufRead;

use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, Event};
use serde_json::{Map, Number, Value};

/// Values may stand in one another this deep; what portals define needs three.
const DEEPEST: usize = 32;

/// One thing that was said.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// A `methodCall`.
    Call {
        /// What is called.
        method: String,
        /// With what.
        params: Vec<Value>,
    },
    /// A `methodResponse`; a fault is a value like any other.
    Response(Vec<Value>),
    /// A `struct` or an `array` outside of both.
    Bare(Value),
}

/// Why XML-RPC could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum XmlRpcError {
    /// The text is no well-formed XML in UTF-8.
    #[error("byte {at}: broken XML: {reason}")]
    Xml {
        /// Where, in bytes from the start.
        at: u64,
        /// What the parser said.
        reason: String,
    },
    /// The text ends inside an element.
    #[error("the text ends inside <{inside}>: it was cut off; hand it over whole")]
    CutOff {
        /// The element that was not ended.
        inside: String,
    },
    /// An element where XML-RPC has none of its name.
    #[error("byte {at}: <{found}> where <{expected}> belongs")]
    Misplaced {
        /// Where, in bytes from the start.
        at: u64,
        /// What stands there.
        found: String,
        /// What belongs there.
        expected: &'static str,
    },
    /// Values in values in values.
    #[error("byte {at}: values stand more than {DEEPEST} deep in one another")]
    TooDeep {
        /// Where, in bytes from the start.
        at: u64,
    },
}

/// The messages of a text, in their order.
///
/// Members named twice count the last time. Attachments (`base64`) are read as null: no field holds a file. A number
/// that is none stays the text that it is.
///
/// # Errors
/// [`XmlRpcError`] says where the text breaks off. Messages before it have been handed out.
pub fn messages<R: BufRead>(source: R) -> Messages<R> {
    let mut reader = Reader::from_reader(source);
    reader.config_mut().expand_empty_elements = true;
    Messages {
        reader,
        buffer: Vec::new(),
        failed: false,
    }
}

/// The iterator behind [`messages`].
pub struct Messages<R> {
    reader: Reader<R>,
    buffer: Vec<u8>,
    failed: bool,
}

/// A piece of XML that means something here.
enum Token {
    Start(String),
    End(String),
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
        let message = self.message().transpose();
        self.failed = matches!(message, Some(Err(_)));
        message
    }
}

impl<R: BufRead> Messages<R> {
    fn message(&mut self) -> Result<Option<Message>> {
        loop {
            match self.token()? {
                Token::Start(name) => match name.as_str() {
                    "methodCall" => return self.call().map(Some),
                    "methodResponse" => {
                        return self
                            .values_until("methodResponse")
                            .map(Message::Response)
                            .map(Some);
                    }
                    "struct" => return self.structure(0).map(Message::Bare).map(Some),
                    "array" => return self.array(0).map(Message::Bare).map(Some),
                    _ => {}
                },
                Token::End(_) | Token::Text(_) => {}
                Token::Eof => return Ok(None),
            }
        }
    }

    fn call(&mut self) -> Result<Message> {
        let mut method = String::new();
        loop {
            match self.token()? {
                Token::Start(name) if name == "methodName" => {
                    self.text_until("methodName")?
                        .trim()
                        .clone_into(&mut method);
                }
                Token::Start(name) if name == "params" => {
                    let params = self.values_until("params")?;
                    self.skip_to_end_of("methodCall")?;
                    return Ok(Message::Call { method, params });
                }
                Token::End(name) if name == "methodCall" => {
                    return Ok(Message::Call {
                        method,
                        params: Vec::new(),
                    });
                }
                Token::Eof => return Err(cut_off("methodCall")),
                _ => {}
            }
        }
    }

    /// The values that stand anywhere before the end of an element.
    fn values_until(&mut self, element: &str) -> Result<Vec<Value>> {
        let mut values = Vec::new();
        loop {
            match self.token()? {
                Token::Start(name) if name == "value" => values.push(self.value(0)?),
                Token::End(name) if name == element => return Ok(values),
                Token::Eof => return Err(cut_off(element)),
                _ => {}
            }
        }
    }

    /// What stands inside a `value`; a text without an element around it is a text.
    fn value(&mut self, depth: usize) -> Result<Value> {
        let mut text = String::new();
        let mut typed = None;
        loop {
            match self.token()? {
                Token::Text(piece) => text.push_str(&piece),
                Token::Start(name) => typed = Some(self.typed(&name, depth)?),
                Token::End(_) => return Ok(typed.unwrap_or(Value::String(text))),
                Token::Eof => return Err(cut_off("value")),
            }
        }
    }

    fn typed(&mut self, name: &str, depth: usize) -> Result<Value> {
        if depth >= DEEPEST {
            return Err(XmlRpcError::TooDeep { at: self.at() });
        }
        match name {
            "struct" => self.structure(depth + 1),
            "array" => self.array(depth + 1),
            scalar => self.text_until(scalar).map(|text| of_type(scalar, text)),
        }
    }

    fn structure(&mut self, depth: usize) -> Result<Value> {
        let mut fields = Map::new();
        loop {
            match self.token()? {
                Token::Start(name) if name == "member" => {
                    let (name, value) = self.member(depth)?;
                    fields.insert(name, value);
                }
                Token::Start(found) => return Err(self.misplaced(found, "member")),
                Token::Text(_) => {}
                Token::End(_) => return Ok(Value::Object(fields)),
                Token::Eof => return Err(cut_off("struct")),
            }
        }
    }

    fn member(&mut self, depth: usize) -> Result<(String, Value)> {
        let (mut name, mut value) = (String::new(), Value::Null);
        loop {
            match self.token()? {
                Token::Start(element) if element == "name" => {
                    self.text_until("name")?.trim().clone_into(&mut name);
                }
                Token::Start(element) if element == "value" => value = self.value(depth)?,
                Token::Start(found) => return Err(self.misplaced(found, "name or value")),
                Token::Text(_) => {}
                Token::End(_) => return Ok((name, value)),
                Token::Eof => return Err(cut_off("member")),
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<Value> {
        let mut values = Vec::new();
        loop {
            match self.token()? {
                Token::Start(name) if name == "data" => {}
                Token::Start(name) if name == "value" => values.push(self.value(depth)?),
                Token::Start(found) => return Err(self.misplaced(found, "value")),
                Token::End(name) if name == "array" => return Ok(Value::Array(values)),
                Token::End(_) | Token::Text(_) => {}
                Token::Eof => return Err(cut_off("array")),
            }
        }
    }

    /// The text of an element that holds nothing else.
    fn text_until(&mut self, element: &str) -> Result<String> {
        let mut text = String::new();
        loop {
            match self.token()? {
                Token::Text(piece) => text.push_str(&piece),
                Token::Start(found) => return Err(self.misplaced(found, "a text")),
                Token::End(_) => return Ok(text),
                Token::Eof => return Err(cut_off(element)),
            }
        }
    }

    fn skip_to_end_of(&mut self, element: &str) -> Result<()> {
        loop {
            match self.token()? {
                Token::End(name) if name == element => return Ok(()),
                Token::Eof => return Err(cut_off(element)),
                _ => {}
            }
        }
    }

    fn token(&mut self) -> Result<Token> {
        loop {
            self.buffer.clear();
            let event = self.reader.read_event_into(&mut self.buffer);
            let token = match event {
                Ok(Event::Start(start)) => {
                    Ok(Token::Start(start.local_name().into_inner().to_owned()))
                }
                Ok(Event::End(end)) => Ok(Token::End(end.local_name().into_inner().to_owned())),
                Ok(Event::Text(text)) => Ok(Token::Text(text.xml10_content().into_owned())),
                Ok(Event::CData(text)) => Ok(Token::Text(text.xml10_content().into_owned())),
                Ok(Event::GeneralRef(reference)) => resolved(&reference).map(Token::Text),
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
                at: self.at(),
                reason,
            });
        }
    }

    fn at(&self) -> u64 {
        self.reader.buffer_position()
    }

    fn misplaced(&self, found: String, expected: &'static str) -> XmlRpcError {
        XmlRpcError::Misplaced {
            at: self.at(),
            found,
            expected,
        }
    }
}

fn cut_off(inside: &str) -> XmlRpcError {
    XmlRpcError::CutOff {
        inside: inside.to_owned(),
    }
}

/// `&amp;`, `&#225;`; entities of one's own are not part of XML-RPC.
fn resolved(reference: &BytesRef) -> std::result::Result<String, String> {
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

/// A scalar of an XML-RPC type. A date stays its text.
fn of_type(name: &str, text: String) -> Value {
    let number = match (name, text.trim()) {
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

    fn read(text: &str) -> Result<Vec<Message>> {
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
        assert_eq!(read(text).unwrap(), [Message::Bare(expected)]);
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
            read(text).unwrap(),
            [
                call("login", vec![json!("abc")]),
                Message::Response(vec![json!({"status": 200})]),
                call("logout", vec![])
            ]
        );
    }

    #[test]
    fn what_is_no_xml_rpc_is_refused_by_place() {
        for (text, error) in [
            (
                "<methodCall><methodName>x",
                "the text ends inside <methodName>: it was cut off; hand it over whole",
            ),
            (
                "<struct><value/></struct>",
                "byte 16: <value> where <member> belongs",
            ),
            (
                "<value><struct>&own;</struct></value>",
                "byte 20: broken XML: the entity &own; is not known",
            ),
        ] {
            assert_eq!(read(text).unwrap_err().to_string(), error);
        }
        assert!(matches!(
            read("<array><value></data></array>"),
            Err(XmlRpcError::Xml { .. })
        ));
        let deep = "<array><data><value>".repeat(50);
        assert!(matches!(read(&deep), Err(XmlRpcError::TooDeep { .. })));
        assert_eq!(read("no xml at all").unwrap(), []);
    }
}
