package org.fibnuma.binding.libc;

import java.nio.charset.StandardCharsets;

/** Names of UNIX sockets as struct sockaddr_un (linux/un.h, Linux 6.1). */
final class UnixAddress
{
    private static final int FAMILY_OFFSET = 0;
    private static final int PATH_OFFSET = FAMILY_OFFSET + Short.BYTES;
    private static final int PATH_LENGTH = 108;
    private static final char ABSTRACT = '@';

    private UnixAddress()
    {
    }

    /**
     * Returns the address of a socket, which the caller closes. Its size is the length to pass to system calls.
     *
     * @param socket absolute path, or {@code @} and a name in the abstract namespace (unix(7)).
     * @return null if the name is neither, or too long.
     */
    static StructMemory of(final String socket)
    {
        final byte[] name = socket.getBytes(StandardCharsets.UTF_8);
        final boolean isAbstract = name.length > 1 && name[0] == ABSTRACT;
        final int length = isAbstract ? name.length : name.length + 1;
        if (length > PATH_LENGTH || !isAbstract && !socket.startsWith("/"))
        {
            return null;
        }
        final StructMemory address = new StructMemory(PATH_OFFSET + length)
            .putShort(FAMILY_OFFSET, SysSocket.AF_UNIX).putBytes(PATH_OFFSET, name);
        return isAbstract ? address.putByte(PATH_OFFSET, 0) : address;
    }
}
