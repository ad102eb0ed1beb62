package org.fibnuma.core.service.config;

import java.util.List;

/** A configuration cannot be used. Every problem is one line: {@code FILE:LINE: key: what is wrong and what to do}. */
public final class ConfigException extends Exception
{
    private static final long serialVersionUID = 1L;

    private final String[] problems;

    /** Takes all problems. */
    public ConfigException(final List<String> problems)
    {
        super(String.join(System.lineSeparator(), problems));
        this.problems = problems.toArray(new String[0]);
    }

    /** Returns all problems, one or more lines in the order of the file. */
    public List<String> problems()
    {
        return List.of(problems);
    }
}
