package org.fibnuma.binding.netlink;

/** Receives the messages of an answer. */
@FunctionalInterface
public interface NetlinkMessageHandler
{
    /**
     * Handles a message of the family; not called for errors and ends of lists. The message is valid during the call.
     */
    void onMessage(NetlinkMessageFlyweight message);
}
