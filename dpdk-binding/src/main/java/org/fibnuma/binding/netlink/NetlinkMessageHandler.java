package org.fibnuma.binding.netlink;

/** Receives the messages of an answer. */
@FunctionalInterface
public interface NetlinkMessageHandler
{
    /**
     * Called for each message of the family, not for errors and the end of a list. The message is valid only during the
     * call.
     */
    void onMessage(NetlinkMessageFlyweight message);
}
