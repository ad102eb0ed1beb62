package org.fibnuma.binding.netlink;

/** Receives the messages of an answer. */
@FunctionalInterface
public interface NetlinkMessageHandler
{
    /**
     * One message; it is gone when this returns.
     *
     * @param message of the family; errors and ends of lists are not among them.
     */
    void onMessage(NetlinkMessageFlyweight message);
}
