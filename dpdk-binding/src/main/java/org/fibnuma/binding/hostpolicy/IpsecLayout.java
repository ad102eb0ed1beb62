package org.fibnuma.binding.hostpolicy;

/** Messages about IPsec policies (linux/xfrm.h, Linux 6.1). */
final class IpsecLayout
{
    static final int XFRMNLGRP_EXPIRE = 2;
    static final int XFRMNLGRP_POLICY = 4;
    static final int XFRM_MSG_NEWPOLICY = 19;
    static final int XFRM_MSG_DELPOLICY = 20;
    static final int XFRM_MSG_GETPOLICY = 21;
    static final int XFRM_MSG_UPDPOLICY = 25;
    static final int XFRM_MSG_POLEXPIRE = 27;
    static final int XFRM_MSG_FLUSHPOLICY = 29;
    static final int XFRM_MSG_GETDEFAULT = 40;

    static final int XFRM_POLICY_OUT = 1;
    static final int XFRM_POLICY_FWD = 2;
    static final int XFRM_POLICY_BLOCK = 1;
    static final int XFRM_USERPOLICY_BLOCK = 1;
    static final int XFRMA_TMPL = 5;
    /** struct xfrm_mark: value and mask, 32 bits each. */
    static final int XFRMA_MARK = 21;
    static final int XFRMA_IF_ID = 31;

    /** struct xfrm_userpolicy_info begins with the selector: addresses of 128 bits, of which IPv4 uses the first 32. */
    static final int DESTINATION_OFFSET = 0;
    static final int SOURCE_OFFSET = 16;
    /** Family, 16 bits, after both addresses and ports, then the lengths of both prefixes, 8 bits each. */
    static final int FAMILY_OFFSET = 40;
    static final int DESTINATION_LENGTH_OFFSET = FAMILY_OFFSET + Short.BYTES;
    static final int SOURCE_LENGTH_OFFSET = DESTINATION_LENGTH_OFFSET + Byte.BYTES;
    /** Direction, 8 bits, after selector, lifetimes, priority and index. */
    static final int DIRECTION_OFFSET = 160;
    static final int ACTION_OFFSET = DIRECTION_OFFSET + Byte.BYTES;
    static final int LENGTH = 168;
    /** Length of struct xfrm_userpolicy_id, the request for policies. */
    static final int ID_LENGTH = 64;

    /** struct xfrm_userpolicy_default: the action without a policy, 8 bits for each direction. */
    static final int DEFAULT_FORWARD_OFFSET = 1;
    static final int DEFAULT_OUT_OFFSET = DEFAULT_FORWARD_OFFSET + Byte.BYTES;
    static final int DEFAULT_LENGTH = DEFAULT_OUT_OFFSET + Byte.BYTES;

    private IpsecLayout()
    {
    }
}
