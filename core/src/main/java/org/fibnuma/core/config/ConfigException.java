package org.fibnuma.core.config;

import java.util.List;

/** A configuration cannot be used. Every problem is one line: {@code FILE:LINE: key: what and what to do}. */
public final class ConfigException extends Exception
{
    private static final long serialVersionUID = 1L;

    private final String[] problems;

    /**
     * With all that is wrong.
     *
     * @param problems one line or more, in the order of the file.
     */
    public ConfigException(final List<String> problems)
    {
        super(String.join(System.lineSeparator(), problems));
        this.problems = problems.toArray(new String[0]);
    }

    /**
     * What is wrong.
     *
     * @return one line or more, in the order of the file.
     */
    public List<String> problems()
    {
        return List.of(problems);
    }
}
