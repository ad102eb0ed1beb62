package org.fibnuma.fabric.sonic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.Map;

/**
 * Differences of two objects as a JSON Patch (RFC 6902). What only the second contains is added whole, so a table that
 * does not exist is added with its entries, as {@code config apply-patch} of SONiC requires. Fields in both that are
 * not objects are replaced. What only the first contains is removed.
 */
final class JsonPatch
{
    private final ArrayNode operations = JsonNodeFactory.instance.arrayNode();

    private JsonPatch()
    {
    }

    /**
     * {@return the operations that change one object to another, in the order of the objects; empty if they are equal}
     */
    static ArrayNode between(final ObjectNode before, final ObjectNode after)
    {
        final JsonPatch patch = new JsonPatch();
        patch.compare("", before, after);
        return patch.operations;
    }

    private void compare(final String path, final ObjectNode before, final ObjectNode after)
    {
        for (final Map.Entry<String, JsonNode> field : before.properties())
        {
            if (!after.has(field.getKey()))
            {
                operation("remove", path + pointer(field.getKey()));
            }
        }
        for (final Map.Entry<String, JsonNode> field : after.properties())
        {
            final String own = path + pointer(field.getKey());
            final JsonNode old = before.get(field.getKey());
            if (old == null)
            {
                operation("add", own).set("value", field.getValue());
            }
            else if (old instanceof ObjectNode && field.getValue() instanceof ObjectNode)
            {
                compare(own, (ObjectNode)old, (ObjectNode)field.getValue());
            }
            else if (!old.equals(field.getValue()))
            {
                operation("replace", own).set("value", field.getValue());
            }
        }
    }

    private ObjectNode operation(final String name, final String path)
    {
        return operations.addObject().put("op", name).put("path", path);
    }

    /** Returns a reference token of a JSON Pointer, RFC 6901 section 3. */
    private static String pointer(final String key)
    {
        return "/" + key.replace("~", "~0").replace("/", "~1");
    }
}
