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

    /** struct xfrm_userpolicy_info: family of the selector, 16 bits, after both addresses and ports. */
    static final int FAMILY_OFFSET = 40;
    /** Direction, 8 bits, after selector, lifetimes, priority and index. */
    static final int DIRECTION_OFFSET = 160;
    static final int ACTION_OFFSET = DIRECTION_OFFSET + Byte.BYTES;
    static final int LENGTH = 168;
    /** Length of struct xfrm_userpolicy_id, which a request for policies consists of. */
    static final int ID_LENGTH = 64;

    /** struct xfrm_userpolicy_default: what is done without a policy, 8 bits for each direction. */
    static final int DEFAULT_FORWARD_OFFSET = 1;
    static final int DEFAULT_OUT_OFFSET = DEFAULT_FORWARD_OFFSET + Byte.BYTES;
    static final int DEFAULT_LENGTH = DEFAULT_OUT_OFFSET + Byte.BYTES;

    private IpsecLayout()
    {
    }
}
