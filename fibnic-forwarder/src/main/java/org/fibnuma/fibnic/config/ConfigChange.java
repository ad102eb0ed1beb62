package org.fibnuma.fibnic.config;

/**
 * A change of a configuration that a running router applies.
 *
 * @param subject what changes, such as {@code acl edge}, {@code port left} or {@code limits}.
 * @param change  what happens to it.
 */
public record ConfigChange(String subject, String change)
{
    /** Returns the change as one line. */
    public String text()
    {
        return subject + ": " + change;
    }
}
