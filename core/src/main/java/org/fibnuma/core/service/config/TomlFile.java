package org.fibnuma.core.service.config;

import org.tomlj.Toml;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Reads TOML 1.0 files. */
public final class TomlFile
{
    private TomlFile()
    {
    }

    /**
     * Reads the top-level table of a file with some keys. Problems that are found when the keys are read later are
     * added to {@code problems}.
     *
     * @throws ConfigException if the file cannot be read or is not TOML.
     */
    public static TomlSection read(final Path file, final ConfigProblems problems, final ConfigTable keys)
        throws ConfigException
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
        return sectionOf(result, problems, keys);
    }

    /**
     * Reads a text that a program has written, as {@link #read} does a file.
     *
     * @throws ConfigException if the text is not TOML.
     */
    public static TomlSection parse(final String text, final ConfigProblems problems, final ConfigTable keys)
        throws ConfigException
    {
        return sectionOf(Toml.parse(text), problems, keys);
    }

    private static TomlSection sectionOf(
        final TomlParseResult result, final ConfigProblems problems, final ConfigTable keys) throws ConfigException
    {
        for (final TomlParseError error : result.errors())
        {
            problems.add(error.position().line(), error.getMessage().replaceAll("\\s+", " "));
        }
        problems.throwIfAny();
        return new TomlSection(problems, "", result, keys, 1);
    }
}
