package org.fibnuma.core.service.metrics;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A scrape in text format 0.0.4, read by the rules of its specification alone. */
public record Scrape(String text, Map<String, Double> values, Set<String> names)
{
    private static final Pattern LINE = Pattern.compile(
        "([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{(?:[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\"\\\\\\n]|\\\\[\\\\n\"])*\",?)*})? (\\S+)");

    /** Requests a path of a server on this host. */
    public static HttpResponse<String> get(final InetSocketAddress address, final String path, final String accept)
    {
        try
        {
            return HttpClient.newHttpClient().send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + path))
                    .header("Accept", accept).build(),
                HttpResponse.BodyHandlers.ofString());
        }
        catch (final IOException | InterruptedException ex)
        {
            throw new AssertionError(ex);
        }
    }

    /** Scrapes a server on this host. */
    public static Scrape of(final InetSocketAddress address)
    {
        final HttpResponse<String> answer = get(address, "/metrics", "text/plain");
        assertEquals(200, answer.statusCode(), answer::body);
        return parse(answer.body());
    }

    /** Fails on a line that is none, a series that is there twice, and a metric without help, type or value. */
    public static Scrape parse(final String text)
    {
        assertTrue(text.endsWith("\n"));
        final Map<String, Double> values = new LinkedHashMap<>();
        final Set<String> names = new LinkedHashSet<>();
        final Map<String, String> helps = new LinkedHashMap<>();
        final Map<String, String> types = new LinkedHashMap<>();
        for (final String line : text.split("\n"))
        {
            final String[] words = line.split(" ", 4);
            if (line.startsWith("# HELP "))
            {
                assertNull(helps.put(words[2], words[3]), line);
            }
            else if (line.startsWith("# TYPE "))
            {
                assertNull(types.put(words[2], words[3]), line);
            }
            else
            {
                final Matcher matcher = LINE.matcher(line);
                assertTrue(matcher.matches(), line);
                final String name = matcher.group(1);
                names.add(name);
                final String family = types.containsKey(name) ? name : name.replaceAll("_(sum|count|bucket)$", "");
                assertNotNull(types.get(family), line);
                assertNotNull(helps.get(family), line);
                assertNull(values.put(
                    name + (matcher.group(2) == null ? "" : matcher.group(2)), value(matcher.group(3))), line);
            }
        }
        assertEquals(types.keySet(), helps.keySet());
        return new Scrape(text, values, names);
    }

    private static double value(final String text)
    {
        return Double.parseDouble(text.replace("+Inf", "Infinity"));
    }

    /** Returns the value of a series, which must be there, without its fraction. */
    public long get(final String series)
    {
        final Double value = values.get(series);
        assertNotNull(value, () -> series + " is not in\n" + text);
        return value.longValue();
    }
}
