package org.fibnuma.core.service.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects all problems of one file, so that the user sees them at once. */
public final class ConfigProblems
{
    private final Path file;
    private final List<Problem> problems = new ArrayList<>();

    /** Starts without problems for a file, whose name is in every line. */
    public ConfigProblems(final Path file)
    {
        this.file = file;
    }

    /** Records a problem in a line, from 1: the key, what is wrong and what to do. */
    public void add(final int line, final String what)
    {
        problems.add(new Problem(line, what));
    }

    /**
     * Throws if there are problems.
     *
     * @throws ConfigException with every problem, in the order of the file.
     */
    public void throwIfAny() throws ConfigException
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
