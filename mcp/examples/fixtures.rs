//! The fixture tools, resources and prompts of the protocol's conformance suite, behind the transport of this crate and
//! without tokens. It prints its address. `tests/outside/run assistants` runs the suite against it: what the suite checks
//! of results, jeden's own tools have no case for.
//!
//! What the suite asks of servers that ask their client back is left out, because jeden's never do.

use std::sync::Arc;

use axum::Router;
use mcp::{PATH, http_config};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, GetPromptRequestParams,
    GetPromptResponse, GetPromptResult, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::{RoleServer, ServerHandler};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// A red pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/// No sound.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

#[derive(Clone)]
struct Fixtures;

/// A value of the protocol, written as JSON.
fn from_json<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value)
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn image() -> Value {
    json!({"type": "image", "data": PNG, "mimeType": "image/png"})
}

fn resource(uri: &str, mime_type: &str, text: &str) -> Value {
    json!({"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "text": text}})
}

/// The tools: name, content of the answer, whether it is an error.
fn tools() -> [(&'static str, Value, bool); 7] {
    let embedded = "This is an embedded resource content.";
    [
        (
            "test_simple_text",
            json!([text("This is a simple text response for testing.")]),
            false,
        ),
        ("test_image_content", json!([image()]), false),
        (
            "test_audio_content",
            json!([{"type": "audio", "data": WAV, "mimeType": "audio/wav"}]),
            false,
        ),
        (
            "test_embedded_resource",
            json!([resource("test://embedded-resource", "text/plain", embedded)]),
            false,
        ),
        (
            "test_multiple_content_types",
            json!([
                text("Multiple content types test:"),
                image(),
                resource(
                    "test://mixed-content-resource",
                    "application/json",
                    r#"{"test":"data","value":123}"#
                )
            ]),
            false,
        ),
        (
            "test_error_handling",
            json!([text("This tool intentionally returns an error for testing")]),
            true,
        ),
        ("json_schema_2020_12_tool", json!([text("done")]), false),
    ]
}

fn schema(tool: &str) -> Value {
    if tool != "json_schema_2020_12_tool" {
        return json!({"type": "object", "additionalProperties": false});
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
        }},
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"}
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false
    })
}

fn described(name: &str) -> Result<Tool, ErrorData> {
    from_json(
        json!({"name": name, "description": "A fixture of the conformance suite.", "inputSchema": schema(name)}),
    )
}

fn contents(uri: &str) -> Option<Value> {
    let id = uri
        .strip_prefix("test://template/")
        .and_then(|rest| rest.strip_suffix("/data"));
    if let Some(id) = id {
        let data = json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
        return Some(json!({"uri": uri, "mimeType": "application/json", "text": data.to_string()}));
    }
    match uri {
        "test://static-text" => {
            let text = "This is the content of the static text resource.";
            Some(json!({"uri": uri, "mimeType": "text/plain", "text": text}))
        }
        "test://static-binary" => Some(json!({"uri": uri, "mimeType": "image/png", "blob": PNG})),
        _ => None,
    }
}

/// The messages of a prompt.
fn messages(name: &str, argument: impl Fn(&str) -> String) -> Option<Vec<Value>> {
    match name {
        "test_simple_prompt" => Some(vec![text("This is a simple prompt for testing.")]),
        "test_prompt_with_arguments" => {
            let (one, two) = (argument("arg1"), argument("arg2"));
            Some(vec![text(&format!(
                "Prompt with arguments: arg1='{one}', arg2='{two}'"
            ))])
        }
        "test_prompt_with_embedded_resource" => {
            let uri = argument("resourceUri");
            Some(vec![
                resource(&uri, "text/plain", "Embedded resource content for testing."),
                text("Please process the embedded resource above."),
            ])
        }
        "test_prompt_with_image" => Some(vec![image(), text("Please analyze the image above.")]),
        _ => None,
    }
}

impl ServerHandler for Fixtures {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .build();
        ServerConfig::new(capabilities)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let all = tools().into_iter().map(|(name, ..)| described(name));
        Ok(ListToolsResult::with_all_items(
            all.collect::<Result<_, _>>()?,
        ))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        described(name).ok()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = tools().into_iter().find(|(name, ..)| *name == request.name);
        let Some((_, content, is_error)) = tool else {
            return Err(ErrorData::invalid_params("unknown tool", None));
        };
        let result: CallToolResult =
            from_json(json!({"resultType": "complete", "content": content, "isError": is_error}))?;
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let uris = ["test://static-text", "test://static-binary"];
        let all = uris.map(|uri| json!({"uri": uri, "name": uri}));
        Ok(ListResourcesResult::with_all_items(from_json(json!(all))?))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let template = json!([{"uriTemplate": "test://template/{id}/data", "name": "template"}]);
        Ok(ListResourceTemplatesResult::with_all_items(from_json(
            template,
        )?))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let contents = contents(&request.uri)
            .ok_or_else(|| ErrorData::resource_not_found("there is no such resource", None))?;
        let result: ReadResourceResult =
            from_json(json!({"resultType": "complete", "contents": [contents]}))?;
        Ok(result.into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let argument = |name: &str| json!({"name": name, "required": true});
        let all = json!([
            {"name": "test_simple_prompt", "description": "A message"},
            {"name": "test_prompt_with_arguments", "description": "A message with both arguments", "arguments": [argument("arg1"), argument("arg2")]},
            {"name": "test_prompt_with_embedded_resource", "description": "A resource in a message", "arguments": [argument("resourceUri")]},
            {"name": "test_prompt_with_image", "description": "An image in a message"}
        ]);
        Ok(ListPromptsResult::with_all_items(from_json(all)?))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let argument = |name: &str| {
            let given = request.arguments.as_ref().and_then(|all| all.get(name));
            given.and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let messages = messages(&request.name, argument)
            .ok_or_else(|| ErrorData::invalid_params("unknown prompt", None))?;
        let messages: Vec<Value> = messages
            .into_iter()
            .map(|content| json!({"role": "user", "content": content}))
            .collect();
        let result: GetPromptResult =
            from_json(json!({"resultType": "complete", "messages": messages}))?;
        Ok(result.into())
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let service = StreamableHttpService::new(
        || Ok(Fixtures),
        Arc::new(NeverSessionManager::default()),
        http_config(vec!["127.0.0.1".to_owned()]),
    );
    let address = listener.local_addr()?;
    std::io::Write::write_all(
        &mut std::io::stdout(),
        format!("http://{address}{PATH}\n").as_bytes(),
    )?;
    axum::serve(listener, Router::new().route_service(PATH, service)).await
}
