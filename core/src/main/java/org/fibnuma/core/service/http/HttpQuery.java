package org.fibnuma.core.service.http;

import java.util.List;
import java.util.Map;

/**
 * What a GET request asks of a resource.
 *
 * @param accept     media types that the client accepts, as in its header; empty if it sent none.
 * @param parameters values of each parameter behind the path, decoded.
 */
public record HttpQuery(String accept, Map<String, List<String>> parameters)
{
    /** Returns the first value of a parameter; empty if the request has none. */
    public String parameter(final String name)
    {
        final List<String> values = parameters.getOrDefault(name, List.of());
        return values.isEmpty() ? "" : values.get(0);
    }
}
