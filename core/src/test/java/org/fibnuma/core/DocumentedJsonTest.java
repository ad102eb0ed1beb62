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
        "| `other` | number | another |",
        "### `show`",
        "| field | type | meaning |",
        "|---|---|---|",
        "| `a`, `b` | number, decimal s | how many, how long |",
        "| `c` | number or text | one, or null |",
        "| `rows[].name` | text | a name |",
        "| `rows[].extra` | text | only with more: more |",
        "| `drops{reason}` | frames | dropped |",
        "| only with `--all` | type | meaning |",
        "|---|---|---|",
        "| `all` | boolean | whether all are meant |",
        "### `next`",
        "| `next` | number | the next one |");
    private static final String ROWS = "\"rows\":[{\"name\":\"x\"}]";
    private static final String DROPS = "\"drops\":{\"full\":1,\"empty\":2}";

    @Test
    void shouldFindNoDifference() throws Exception
    {
        assertEquals(Set.of(), differences("{\"a\":1,\"b\":2,\"c\":null," + ROWS + ',' + DROPS + '}'));
        assertEquals(Set.of(), differences("{\"a\":1,\"b\":2.5,\"c\":3," + ROWS + ',' + DROPS + '}',
            "{\"a\":1,\"b\":2,\"c\":\"3\",\"all\":true,\"rows\":[],\"drops\":{}}"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "{'a':1,'c':3,ROWS,DROPS} | b is missing in OUTPUT; b is not printed",
        "{'a':1,'b':null,'c':3,ROWS,DROPS} | b is null, which is not documented",
        "{'a':1,'b':2,'c':3,'d':4,ROWS,DROPS} | d is not documented",
        "{'a':1.5,'b':2,'c':3,ROWS,DROPS} | a is 1.5 and not number",
        "{'a':1,'b':2,'c':true,ROWS,DROPS} | c is true and not number or text",
        "{'a':1,'b':2,'c':3,'all':1,ROWS,DROPS} | all is 1 and not boolean",
        "{'a':1,'b':2,'c':3,'d':[],ROWS,DROPS} | d[] is not documented",
        "{'a':1,'b':2,'c':3,'rows':[],DROPS} | rows[].name is not printed",
        "{'a':1,'b':2,'c':3,'rows':[{'name':'x'},{}],DROPS} | rows[].name is missing in {}",
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
