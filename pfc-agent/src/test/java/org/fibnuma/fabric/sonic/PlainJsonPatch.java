package org.fibnuma.fabric.sonic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Applies a JSON Patch to an object of objects, operation by operation, as RFC 6902 section 4 says: the parent of every
 * path must exist; what is removed or replaced must exist.
 */
final class PlainJsonPatch
{
    private PlainJsonPatch()
    {
    }

    static ObjectNode apply(final ObjectNode before, final JsonNode patch)
    {
        final ObjectNode result = before.deepCopy();
        for (final JsonNode operation : patch)
        {
            final String[] tokens = operation.path("path").textValue().split("/", -1);
            require(tokens.length > 1 && tokens[0].isEmpty(), operation);
            ObjectNode parent = result;
            for (int i = 1; i < tokens.length - 1; i++)
            {
                require(parent.get(unescaped(tokens[i])) instanceof ObjectNode, operation);
                parent = (ObjectNode)parent.get(unescaped(tokens[i]));
            }
            final String key = unescaped(tokens[tokens.length - 1]);
            final String name = operation.path("op").textValue();
            require(name.equals("add") || parent.has(key), operation);
            if (name.equals("remove"))
            {
                parent.remove(key);
            }
            else
            {
                require(operation.has("value") && (name.equals("add") || name.equals("replace")), operation);
                parent.set(key, operation.get("value"));
            }
        }
        return result;
    }

    /** RFC 6901 section 4: first ~1, then ~0. */
    private static String unescaped(final String token)
    {
        return token.replace("~1", "/").replace("~0", "~");
    }

    private static void require(final boolean holds, final JsonNode operation)
    {
        if (!holds)
        {
            throw new IllegalArgumentException("cannot be applied: " + operation);
        }
    }
}
