package org.fibnuma.fabric.topology;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.IntStream;

/** The lines on which the elements of an array stand, which a parsed tree does not remember. */
final class JsonLines
{
    private JsonLines()
    {
    }

    /** The line of each element of the last array of this name in the outermost object of a text that is JSON. */
    static IntStream ofElements(final String text, final String array)
    {
        IntStream lines = IntStream.empty();
        try (JsonParser parser = new JsonFactory().createParser(text))
        {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME)
            {
                final boolean isWanted = parser.currentName().equals(array);
                if (parser.nextToken() == JsonToken.START_ARRAY && isWanted)
                {
                    lines = elements(parser);
                }
                parser.skipChildren();
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return lines;
    }

    private static IntStream elements(final JsonParser parser) throws IOException
    {
        final IntStream.Builder lines = IntStream.builder();
        while (parser.nextToken() != JsonToken.END_ARRAY)
        {
            lines.add(parser.currentTokenLocation().getLineNr());
            parser.skipChildren();
        }
        return lines.build();
    }
}
