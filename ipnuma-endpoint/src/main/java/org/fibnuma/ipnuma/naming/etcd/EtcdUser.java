package org.fibnuma.ipnuma.naming.etcd;

import org.fibnuma.core.IoFailure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A user of an etcd cluster with {@code auth enable}. The password is in a file, so that neither a list of processes
 * nor the log shows it. The file is read at each login, so that a changed password needs no restart.
 *
 * @param name         of the user.
 * @param passwordFile with the password on its first line, in UTF-8.
 */
public record EtcdUser(String name, Path passwordFile)
{
    /**
     * Returns a user after a check that the file can be read.
     *
     * @param name         of the user.
     * @param passwordFile with the password.
     * @throws IllegalArgumentException with one line if there is no password in the file.
     */
    public static EtcdUser of(final String name, final Path passwordFile)
    {
        final EtcdUser user = new EtcdUser(name, passwordFile);
        try
        {
            user.password();
        }
        catch (final IOException ex)
        {
            throw new IllegalArgumentException(ex.getMessage(), ex);
        }
        return user;
    }

    /** Reads the password. The exception has one line if the file cannot be read or is empty. */
    String password() throws IOException
    {
        final String text;
        try
        {
            text = Files.readString(passwordFile, StandardCharsets.UTF_8);
        }
        catch (final IOException ex)
        {
            throw new IOException("cannot read " + passwordFile + ": " + IoFailure.reason(ex), ex);
        }
        return text.lines().findFirst()
            .orElseThrow(() -> new IOException(passwordFile + " is empty; write the password into it"));
    }
}
