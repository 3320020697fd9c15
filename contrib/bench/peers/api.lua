-- wrk posts canRender of one user after another, and prints what it measured as JSON.
-- Arguments behind `--`: the token, and how many accounts there are.

local token, accounts

function init(args)
    token, accounts = args[1], tonumber(args[2])
    math.randomseed(os.time())
    wrk.method = "POST"
    wrk.headers["Authorization"] = "Bearer " .. token
    wrk.headers["Content-Type"] = "application/json"
end

function request()
    local user = string.format("user-%07d", math.random(1, accounts))
    return wrk.format(nil, nil, nil, '{"jsonrpc":"2.0","id":1,"method":"canRender","params":{"userId":"' .. user .. '"}}')
end

function done(summary, latency)
    local failed = summary.errors.connect + summary.errors.read + summary.errors.write
        + summary.errors.status + summary.errors.timeout
    io.stderr:write(string.format('{"perSecond":%.1f,"failed":%d,"latency":{"p50":%.1f,"p99":%.1f}}\n',
        summary.requests / (summary.duration / 1e6), failed,
        latency:percentile(50), latency:percentile(99)))
end
