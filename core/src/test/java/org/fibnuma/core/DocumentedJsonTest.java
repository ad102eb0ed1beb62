package org.fibnuma.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class DocumentedJsonTest
{
    private static final List<String> DOCUMENT = List.of(
        "### `other`",
        "| `other` | a number |",
        "### `show`",
        "| field | meaning |",
        "|---|---|",
        "| `a`, `b` | numbers |",
        "| `c` | a number, or null |",
        "| `rows[].name` | text |",
        "| `rows[].extra` | only with more: text |",
        "| `drops{reason}` | frames |",
        "### `next`",
        "| `next` | a number |");
    private static final String ROWS = "\"rows\":[{\"name\":\"x\"}]";
    private static final String DROPS = "\"drops\":{\"full\":1,\"empty\":2}";

    @Test
    void shouldFindNoDifference() throws Exception
    {
        assertEquals(Set.of(), differences("{\"a\":1,\"b\":2,\"c\":null," + ROWS + ',' + DROPS + '}'));
        assertEquals(Set.of(), differences("{\"a\":1,\"b\":2,\"c\":3," + ROWS + ',' + DROPS + '}',
            "{\"a\":1,\"b\":2,\"c\":3,\"rows\":[],\"drops\":{}}"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "{'a':1,'c':3,ROWS,DROPS} | b is missing in OUTPUT; b is not printed",
        "{'a':1,'b':null,'c':3,ROWS,DROPS} | b is null, which is not documented",
        "{'a':1,'b':2,'c':3,'d':4,ROWS,DROPS} | d is not documented",
        "{'a':1,'b':2,'c':3,'d':[],ROWS,DROPS} | d[] is not documented",
        "{'a':1,'b':2,'c':3,'rows':[],DROPS} | rows[].name is not printed",
        "{'a':1,'b':2,'c':3,'rows':[{'name':1},{}],DROPS} | rows[].name is missing in {}",
        "{'a':1,'b':2,'c':3,ROWS,'drops':{}} | drops{reason} is not printed",
    })
    void shouldNameEveryDifference(final String pattern, final String expected) throws Exception
    {
        final String output = pattern.replace('\'', '"').replace("ROWS", ROWS).replace("DROPS", DROPS);
        assertEquals(Set.copyOf(Arrays.asList(expected.replace("OUTPUT", output).split("; "))),
            differences(output));
    }

    @Test
    void shouldFailWithoutASection()
    {
        assertThrows(AssertionError.class, () -> new DocumentedJson(DOCUMENT, "sho"));
    }

    private static Set<String> differences(final String... outputs) throws Exception
    {
        final List<JsonNode> nodes = new ArrayList<>();
        for (final String output : outputs)
        {
            nodes.add(new ObjectMapper().readTree(output));
        }
        return new DocumentedJson(DOCUMENT, "show").compare(nodes.toArray(JsonNode[]::new));
    }
}
