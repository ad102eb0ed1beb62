package org.fibnuma.fibnic.page;

import org.fibnuma.fibnic.http.HttpAnswer;
import org.fibnuma.fibnic.http.HttpResource;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/** The files of the page, which are resources of this module. */
public final class PageFiles
{
    private static final int OK = 200;
    private static final String SCRIPT = "text/javascript; charset=utf-8";

    /** Name and content type of each file; the path of page.html is "/". */
    private static final Map<String, String> TYPES = Map.of(
        "page.html", "text/html; charset=utf-8",
        "page.css", "text/css; charset=utf-8",
        "icon.svg", "image/svg+xml",
        "page.js", SCRIPT,
        "connection.js", SCRIPT,
        "rates.js", SCRIPT,
        "format.js", SCRIPT,
        "chart.js", SCRIPT,
        "table.js", SCRIPT,
        "search.js", SCRIPT);

    private PageFiles()
    {
    }

    /** Reads the files and returns them by path. */
    public static Map<String, HttpResource> resources()
    {
        final Map<String, HttpResource> resources = new HashMap<>();
        TYPES.forEach((name, type) ->
        {
            final HttpAnswer answer = new HttpAnswer(OK, type, read(name));
            resources.put(name.equals("page.html") ? "/" : "/" + name, (query, client) -> client.accept(answer));
        });
        return resources;
    }

    private static byte[] read(final String name)
    {
        try (InputStream file = PageFiles.class.getResourceAsStream(name))
        {
            if (file == null)
            {
                throw new FileNotFoundException("the module lacks its resource " + name);
            }
            return file.readAllBytes();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
