package org.fibnuma.bench.report;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;

/**
 * Objects of an array in a result, of which some are selected by their fields.
 *
 * @param nodes the objects in their order.
 */
record Rows(List<JsonNode> nodes)
{
    /** Returns the objects of an array. */
    static Rows of(final JsonNode array)
    {
        return new Rows(StreamSupport.stream(array.spliterator(), false).toList());
    }

    /** Selects the objects whose field has a value, compared as text. */
    Rows where(final String field, final Object value)
    {
        return where(row -> row.path(field).asText().equals(value.toString()));
    }

    Rows where(final Predicate<JsonNode> condition)
    {
        return new Rows(nodes.stream().filter(condition).toList());
    }

    /** Returns a number of the first object by its JSON pointer, or NaN if there is none. */
    double number(final String pointer)
    {
        return nodes.isEmpty() ? Double.NaN : nodes.get(0).at(pointer).asDouble(Double.NaN);
    }

    /** Returns a number of every object by its JSON pointer; NaN for none. */
    double[] numbers(final String pointer)
    {
        return nodes.stream().mapToDouble(row -> row.at(pointer).asDouble(Double.NaN)).toArray();
    }
}
