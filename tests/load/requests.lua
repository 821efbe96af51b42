-- Sends the paths in FILE one after the other: `wrk -s requests.lua URL -- TOKEN FILE`.

local paths, headers, position = {}, {}, 0

function init(arguments)
  headers["X-Api-Key"] = arguments[1]
  for line in io.lines(arguments[2]) do paths[#paths + 1] = line end
  -- Each thread begins at a random path.
  math.randomseed(tonumber(tostring({}):match("0x(%x+)"), 16) % 2147483647)
  position = math.random(#paths)
end

function request()
  position = position % #paths + 1
  return wrk.format("GET", paths[position], headers)
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    "| %d | %.0f | %.1f | %.1f | %.1f | %d | %d/%d/%d |\n",
    summary.requests, summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, latency.max / 1000,
    errors.status, errors.connect, errors.read + errors.write, errors.timeout))
end
