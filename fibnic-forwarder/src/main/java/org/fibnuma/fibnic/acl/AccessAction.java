package org.fibnuma.fibnic.acl;

import org.fibnuma.fibnic.fate.DropReason;

import java.util.Arrays;
import java.util.List;

/** The action of a rule of an access list for the packets that match it. */
public enum AccessAction
{
    /** The packet passes; no further rule is compared. */
    PERMIT("permit", null),
    /** The packet is dropped without a message to its sender. */
    DENY("deny", DropReason.ACCESS_DENIED),
    /** The packet is dropped; its sender gets an ICMP error, administratively prohibited. */
    PROHIBIT("prohibit", DropReason.ACCESS_PROHIBITED),
    /** The packet is counted, and the rules after this one are compared. */
    COUNT("count", null);

    private final String key;
    private final DropReason reason;

    AccessAction(final String key, final DropReason reason)
    {
        this.key = key;
        this.reason = reason;
    }

    /** Returns the keys of all actions. */
    public static List<String> keys()
    {
        return Arrays.stream(values()).map(AccessAction::key).toList();
    }

    /** Returns the name in the configuration. */
    public String key()
    {
        return key;
    }

    /** Returns why the packet is dropped, null if it is not. */
    public DropReason reason()
    {
        return reason;
    }
}
