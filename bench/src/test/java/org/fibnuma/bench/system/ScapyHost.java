package org.fibnuma.bench.system;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A host with scapy at its end of the cable: the independent builder and reader of every frame in these tests. */
public final class ScapyHost implements AutoCloseable
{
    private static final ObjectMapper JSON =
        new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String ANY_IP = "is_ip(p)";
    private static final String OPERATION = "op";

    private final Host host;
    private final String device;
    private final Path script;
    private final ChildProcess scapy;

    public ScapyHost(final Host host, final String device)
    {
        this.host = host;
        this.device = device;
        this.script = extractScript();
        this.scapy = host.start("/usr/bin/python3", script.toString(), device);
    }

    private static Path extractScript()
    {
        try (InputStream resource = ScapyHost.class.getResourceAsStream("/scapy/host.py"))
        {
            final Path file = Files.createTempFile("fibnuma-scapy-", ".py");
            Files.write(file, resource.readAllBytes());
            return file;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Waits for scapy, which takes a second to load; until then several hosts load side by side. */
    public void awaitReady()
    {
        answer();
    }

    public Host host()
    {
        return host;
    }

    public String macAddress()
    {
        return host.macAddress(device);
    }

    /** Gives scapy expressions short names for later frames. */
    public void define(final Map<String, String> expressions)
    {
        final ObjectNode request = request("define");
        expressions.forEach(request.putObject("names")::put);
        ask(request);
    }

    /** Sends frames, each a scapy expression; returns their bytes as hex. */
    public List<String> send(final String... frames)
    {
        return send(1, Duration.ZERO, frames);
    }

    /** Sends frames several times, with a pause after each frame. */
    public List<String> send(final int repeat, final Duration interval, final String... frames)
    {
        final ObjectNode request = request("send");
        request.put("repeat", repeat);
        request.put("interval", interval.toNanos() / 1e9);
        for (final String frame : frames)
        {
            request.withArray("frames").add(frame);
        }
        final List<String> sent = new ArrayList<>();
        ask(request).get("sent").forEach(hex -> sent.add(hex.asText()));
        return sent;
    }

    /** Forgets what has arrived so far. */
    public void clear()
    {
        ask(request("clear"));
    }

    /** The first IPv4 and IPv6 frames to arrive, without those of neighbour discovery: as many as come in time. */
    public List<ReceivedFrame> receive(final int count, final Duration patience)
    {
        return receive(count, patience, ANY_IP);
    }

    /** The first frames to arrive that a Python expression over {@code p} holds for: as many as come in time. */
    public List<ReceivedFrame> receive(final int count, final Duration patience, final String where)
    {
        return receive(receiveRequest(count, patience, where));
    }

    /**
     * All IPv4 and IPv6 frames, without those of neighbour discovery, up to one that a Python expression over {@code p}
     * holds for, or to the end of the time.
     */
    public List<ReceivedFrame> receiveUntil(final String last, final Duration patience)
    {
        return receive(receiveRequest(Integer.MAX_VALUE, patience, ANY_IP).put("until", last));
    }

    /** Sends frames, each given as hex. */
    public void replay(final List<String> frames)
    {
        final ObjectNode request = request("replay");
        frames.forEach(request.putArray("frames")::add);
        ask(request);
    }

    /** All frames as hex, of every kind, up to one with these bytes at its end, or to the end of the time. */
    public List<String> collect(final String end, final Duration patience)
    {
        return collect(end, 0, "", patience);
    }

    /**
     * All frames as hex, of every kind, until one with these bytes at its end and a number of others with those at
     * their beginning are there, or to the end of the time.
     */
    List<String> collect(final String end, final int count, final String start, final Duration patience)
    {
        final ObjectNode request = request("collect");
        request.put("until", end);
        request.put("count", count);
        request.put("start", start);
        request.put("seconds", patience.toMillis() / 1e3);
        final List<String> frames = new ArrayList<>();
        ask(request).get("frames").forEach(hex -> frames.add(hex.asText()));
        return frames;
    }

    private static ObjectNode receiveRequest(final int count, final Duration patience, final String where)
    {
        final ObjectNode request = request("receive");
        request.put("count", count);
        request.put("seconds", patience.toMillis() / 1e3);
        request.put("where", where);
        return request;
    }

    private List<ReceivedFrame> receive(final ObjectNode request)
    {
        final List<ReceivedFrame> frames = new ArrayList<>();
        ask(request).get("frames").forEach(fields -> frames.add(JSON.convertValue(fields, ReceivedFrame.class)));
        return frames;
    }

    private static ObjectNode request(final String operation)
    {
        return JSON.createObjectNode().put(OPERATION, operation);
    }

    private JsonNode ask(final ObjectNode request)
    {
        scapy.send(request.toString());
        return answer();
    }

    private JsonNode answer()
    {
        final String line = scapy.awaitLine(text -> text.startsWith("{"), PATIENCE);
        try
        {
            final JsonNode answer = JSON.readTree(line);
            if (answer.has("error"))
            {
                throw new UserException("scapy: " + answer.get("error").asText());
            }
            return answer;
        }
        catch (final JsonProcessingException ex)
        {
            throw new UserException("scapy answered " + line, ex);
        }
    }

    @Override
    public void close()
    {
        scapy.kill();
        scapy.close();
        try
        {
            Files.deleteIfExists(script);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
