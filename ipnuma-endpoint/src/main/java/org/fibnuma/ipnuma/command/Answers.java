package org.fibnuma.ipnuma.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import picocli.CommandLine;

/** How answers of commands are printed. */
final class Answers
{
    private Answers()
    {
    }

    static void printJson(final CommandLine.Model.CommandSpec spec, final Object answer)
    {
        try
        {
            spec.commandLine().getOut().println(
                new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(answer));
            spec.commandLine().getOut().flush();
        }
        catch (final JsonProcessingException ex)
        {
            throw new IllegalStateException("cannot be written as JSON: " + answer, ex);
        }
    }
}
