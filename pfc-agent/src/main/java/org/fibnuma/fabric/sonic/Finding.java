package org.fibnuma.fabric.sonic;

/**
 * Result of a check of configurations.
 *
 * @param isError whether frames can be lost or a deadlock is possible; otherwise a warning.
 * @param subject what was checked: deadlock, ports, pfc, watchdog, headroom or ecn.
 * @param place   switch and port, or both ends of a link.
 * @param text    one line: the problem and what to do.
 */
public record Finding(boolean isError, String subject, String place, String text)
{
}
