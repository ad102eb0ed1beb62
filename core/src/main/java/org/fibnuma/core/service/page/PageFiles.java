package org.fibnuma.core.service.page;

import org.fibnuma.core.service.http.HttpAnswer;
import org.fibnuma.core.service.http.HttpResource;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The files of a web page, which are resources of its module, and the common files of all web pages. */
public final class PageFiles
{
    private static final int OK = 200;
    private static final String HTML = "page.html";

    private static final Map<String, String> TYPES = Map.of(
        "html", "text/html; charset=utf-8",
        "css", "text/css; charset=utf-8",
        "svg", "image/svg+xml",
        "js", "text/javascript; charset=utf-8");

    private static final List<String> COMMON = List.of(
        "page.css", "icon.svg", "connection.js", "rates.js", "format.js", "chart.js", "table.js",
        "status.js", "drops.js", "log.js");

    private PageFiles()
    {
    }

    /**
     * Reads the files of a web page.
     *
     * @param page class beside whose resources {@code page.html} is; the path of that file is "/".
     * @param own  names of its further files there, which end with html, css, svg or js.
     * @return own and common files by path.
     */
    public static Map<String, HttpResource> resources(final Class<?> page, final List<String> own)
    {
        final Map<String, HttpResource> resources = new HashMap<>();
        COMMON.forEach(name -> resources.put("/" + name, resource(PageFiles.class, name)));
        own.forEach(name -> resources.put("/" + name, resource(page, name)));
        resources.put("/", resource(page, HTML));
        return resources;
    }

    private static HttpResource resource(final Class<?> owner, final String name)
    {
        final HttpAnswer answer = new HttpAnswer(
            OK, TYPES.get(name.substring(name.lastIndexOf('.') + 1)), read(owner, name));
        return (query, client) -> client.accept(answer);
    }

    private static byte[] read(final Class<?> owner, final String name)
    {
        try (InputStream file = owner.getResourceAsStream(name))
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
