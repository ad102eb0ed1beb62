package org.fibnuma.binding.dpdk.layout;

/**
 * The first fields of {@code struct pmd_internals} of drivers/net/memif/rte_eth_memif.h (22.11 to 24.11). No installed
 * header contains it, so users of this class compare these fields with known values of the device first.
 */
public final class MemifLayout
{
    /** {@code memif_interface_id_t id}, a {@code uint32_t}: the driver's argument {@code id}. */
    public static final int ID_OFFSET = 0;
    /** {@code enum memif_role_t role}. */
    public static final int ROLE_OFFSET = ID_OFFSET + Integer.BYTES;
    public static final int ROLE_SERVER = 0;
    public static final int ROLE_CLIENT = 1;
    /** {@code uint32_t flags}. */
    public static final int FLAGS_OFFSET = ROLE_OFFSET + Integer.BYTES;
    /** ETH_MEMIF_FLAG_CONNECTED: set when the rings are mapped, cleared before they are unmapped. */
    public static final int FLAG_CONNECTED = 1 << 1;
    /** {@code char *socket_filename}. */
    public static final int SOCKET_FILENAME_OFFSET = FLAGS_OFFSET + 2 * Integer.BYTES;
    /** {@code char secret[24]} and the pointer {@code cc} are between. */
    private static final int SECRET_AND_CHANNEL = 24 + Long.BYTES;
    /** {@code rte_spinlock_t cc_lock}: an {@code int}, 1 while locked. */
    public static final int LOCK_OFFSET = SOCKET_FILENAME_OFFSET + Long.BYTES + SECRET_AND_CHANNEL;

    private MemifLayout()
    {
    }
}
