package org.fibnuma.binding.rtnetlink;

import org.agrona.DirectBuffer;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.core.kernel.KernelAddress;

/** Decodes RTM_NEWADDR and RTM_DELADDR. */
final class AddressDecoder
{
    private static final int MAX_PREFIX_LENGTH = 32;

    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();

    /** Decodes one message. Returns null where the address is not IPv4 or the message is malformed. */
    KernelAddress decode(final NetlinkMessageFlyweight message)
    {
        if (!message.wrapAttributes(attributes, AddressLayout.LENGTH))
        {
            return null;
        }
        final DirectBuffer buffer = message.buffer();
        final int body = message.payloadOffset();
        final int prefixLength = buffer.getByte(body + AddressLayout.PREFIX_LENGTH_OFFSET) & 0xFF;
        if (buffer.getByte(body + AddressLayout.FAMILY_OFFSET) != SysSocket.AF_INET ||
            prefixLength > MAX_PREFIX_LENGTH)
        {
            return null;
        }
        int local = 0;
        int address = 0;
        while (attributes.next())
        {
            switch (attributes.type())
            {
                case AddressLayout.IFA_LOCAL -> local = attributes.ipv4Value(0);
                case AddressLayout.IFA_ADDRESS -> address = attributes.ipv4Value(0);
                default ->
                {
                }
            }
        }
        final int own = local != 0 ? local : address;
        return own == 0 ? null :
            new KernelAddress(buffer.getInt(body + AddressLayout.INDEX_OFFSET), own, prefixLength);
    }
}
