package org.fibnuma.core.service.http;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The existing paths of an {@link HttpServer}, such as {@code /metrics}.
 *
 * @param resources paths that answer a request.
 * @param events    paths that send events until the client ends the connection.
 */
public record HttpPaths(Map<String, HttpResource> resources, Map<String, HttpEvents> events)
{
    /** Returns the names of all paths in alphabetical order, separated by commas. */
    String names()
    {
        return Stream.concat(resources.keySet().stream(), events.keySet().stream()).sorted()
            .collect(Collectors.joining(", "));
    }
}
