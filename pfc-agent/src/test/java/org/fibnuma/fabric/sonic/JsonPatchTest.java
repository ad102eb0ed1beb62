package org.fibnuma.fabric.sonic;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Patches applied by {@link PlainJsonPatch} give the second object; keys contain what a pointer escapes. */
class JsonPatchTest
{
    private static final String[] KEYS = {"a", "10.0.0.0/24", "~", "~1", "x~0/y", "", "default|fd00::/64", "/"};

    @Test
    void shouldTurnTheFirstObjectIntoTheSecond()
    {
        for (int seed = 0; seed < 2000; seed++)
        {
            final Random random = new Random(seed);
            final ObjectNode before = object(random, 3);
            final ObjectNode after = object(random, 3);
            assertEquals(after, PlainJsonPatch.apply(before, JsonPatch.between(before, after)), "seed " + seed);
            assertEquals(0, JsonPatch.between(before, before.deepCopy()).size());
        }
    }

    @Test
    void shouldAddAMissingTableWhole() throws JsonProcessingException
    {
        assertEquals("[{\"op\":\"add\",\"path\":\"/STATIC_ROUTE\",\"value\":{\"default|10.0.0.0/8\":{}}}," +
            "{\"op\":\"replace\",\"path\":\"/PORT/Ethernet0/mtu\",\"value\":\"9100\"}," +
            "{\"op\":\"add\",\"path\":\"/PORT/a~1b~0c\",\"value\":{}}]",
            JsonPatch.between(parse("{\"PORT\":{\"Ethernet0\":{\"mtu\":\"1500\",\"speed\":\"1\"}}}"),
            parse("{\"STATIC_ROUTE\":{\"default|10.0.0.0/8\":{}}," +
                "\"PORT\":{\"Ethernet0\":{\"mtu\":\"9100\",\"speed\":\"1\"},\"a/b~c\":{}}}")).toString());
    }

    private static ObjectNode parse(final String text) throws JsonProcessingException
    {
        return (ObjectNode)new ObjectMapper().readTree(text);
    }

    private static ObjectNode object(final Random random, final int depth)
    {
        final ObjectNode object = JsonNodeFactory.instance.objectNode();
        for (final String key : KEYS)
        {
            final int kind = random.nextInt(4);
            if (kind == 1)
            {
                object.put(key, String.valueOf(random.nextInt(3)));
            }
            else if (kind == 2)
            {
                object.putArray(key).add(random.nextInt(2));
            }
            else if (kind == 3 && depth > 0)
            {
                object.set(key, object(random, depth - 1));
            }
        }
        return object;
    }
}
