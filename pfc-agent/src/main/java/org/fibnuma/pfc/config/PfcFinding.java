package org.fibnuma.pfc.config;

/**
 * Something that a configuration says and that cannot work, or not as meant.
 *
 * @param isError whether frames get lost or a mechanism never acts; else it is a warning.
 * @param line    of the file.
 * @param text    one line: where, what, what to do.
 */
public record PfcFinding(boolean isError, int line, String text)
{
}
