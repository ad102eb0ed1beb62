package org.fibnuma.binding.netlink;

/** Receives the messages of an answer. */
@FunctionalInterface
public interface NetlinkMessageHandler
{
    /**
     * Called for each message of the family; not for errors and ends of lists. The message is valid during the call.
     */
    void onMessage(NetlinkMessageFlyweight message);
}
