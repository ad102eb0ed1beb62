package org.fibnuma.fibnic.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects what is wrong with one file, so that the user sees all of it at once. */
final class ConfigProblems
{
    private final Path file;
    private final List<Problem> problems = new ArrayList<>();

    ConfigProblems(final Path file)
    {
        this.file = file;
    }

    void add(final int line, final String what)
    {
        problems.add(new Problem(line, what));
    }

    void throwIfAny() throws ConfigException
    {
        if (!problems.isEmpty())
        {
            problems.sort(Comparator.comparingInt(Problem::line));
            throw new ConfigException(problems.stream().map(problem -> problem.format(file)).distinct().toList());
        }
    }

    private record Problem(int line, String what)
    {
        String format(final Path file)
        {
            return file + ":" + line + ": " + what;
        }
    }
}
