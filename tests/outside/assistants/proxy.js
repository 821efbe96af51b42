// Passes requests on with a token, because the conformance suite cannot send one. Everything else stays as it came.
// Prints its own port.
const http = require("node:http");

const target = new URL(process.env.MCP_URL);
const token = process.env.JEDEN_TOKEN;

const server = http.createServer((request, response) => {
    // A client names the host and port of this proxy; the server knows its own.
    const host = request.headers.host === `127.0.0.1:${server.address().port}` ? target.host : request.headers.host;
    const passed = http.request(
        {
            host: target.hostname,
            port: target.port,
            path: request.url,
            method: request.method,
            headers: { ...request.headers, host, authorization: `Bearer ${token}` },
        },
        (answer) => {
            response.writeHead(answer.statusCode, answer.headers);
            answer.pipe(response);
        },
    );
    passed.on("error", () => response.destroy());
    request.pipe(passed);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
