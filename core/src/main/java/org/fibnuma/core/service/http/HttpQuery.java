package org.fibnuma.core.service.http;

import java.util.List;
import java.util.Map;

/**
 * The header and parameters of a GET request that a resource uses.
 *
 * @param accept     media types as in the client's header; empty if it sent none.
 * @param parameters decoded values of each parameter.
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
