package org.fibnuma.core.config;

import org.tomlj.Toml;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Files in TOML 1.0. */
public final class TomlFile
{
    private TomlFile()
    {
    }

    /**
     * Reads a file.
     *
     * @param file     to read.
     * @param problems for what will be found wrong with its keys.
     * @return the table of all that is in it.
     * @throws ConfigException where it cannot be read or is no TOML.
     */
    public static TomlSection read(final Path file, final ConfigProblems problems) throws ConfigException
    {
        final TomlParseResult result;
        try
        {
            result = Toml.parse(file);
        }
        catch (final IOException ex)
        {
            throw new ConfigException(List.of(
                file + ": cannot be read; give a readable file to -c (" + ex.getClass().getSimpleName() + ")"));
        }
        for (final TomlParseError error : result.errors())
        {
            problems.add(error.position().line(), error.getMessage().replaceAll("\\s+", " "));
        }
        problems.throwIfAny();
        return new TomlSection(problems, "", result, 1);
    }
}
