package org.fibnuma.binding.netdevice;

/** Commands of SIOCETHTOOL and their structures (linux/ethtool.h, Linux 6.1). Each starts with its command. */
final class EthtoolLayout
{
    static final int COMMAND_OFFSET = 0;

    static final int ETHTOOL_GCHANNELS = 0x3C;
    static final int ETHTOOL_SCHANNELS = 0x3D;
    /** {@code struct ethtool_channels}: four maxima, then four counts. */
    static final int MAX_RX_OFFSET = Integer.BYTES;
    static final int MAX_TX_OFFSET = MAX_RX_OFFSET + Integer.BYTES;
    static final int MAX_COMBINED_OFFSET = MAX_TX_OFFSET + 2 * Integer.BYTES;
    static final int RX_COUNT_OFFSET = MAX_COMBINED_OFFSET + Integer.BYTES;
    static final int TX_COUNT_OFFSET = RX_COUNT_OFFSET + Integer.BYTES;
    static final int OTHER_COUNT_OFFSET = TX_COUNT_OFFSET + Integer.BYTES;
    static final int COMBINED_COUNT_OFFSET = OTHER_COUNT_OFFSET + Integer.BYTES;
    static final int CHANNELS_SIZE = COMBINED_COUNT_OFFSET + Integer.BYTES;

    static final int ETHTOOL_GDRVINFO = 0x03;
    /** {@code struct ethtool_drvinfo}. */
    static final int DRIVER_OFFSET = Integer.BYTES;
    static final int DRIVER_SIZE = 32;
    static final int DRIVER_INFORMATION_SIZE = 196;

    static final int ETH_SS_FEATURES = 4;
    static final int ETH_GSTRING_LEN = 32;

    static final int ETHTOOL_GSSET_INFO = 0x37;
    /** {@code struct ethtool_sset_info}: a bit for each requested set; then the number of strings of each. */
    static final int SET_MASK_OFFSET = 2 * Integer.BYTES;
    static final int SET_LENGTHS_OFFSET = SET_MASK_OFFSET + Long.BYTES;
    static final int SET_INFORMATION_SIZE = SET_LENGTHS_OFFSET + Integer.BYTES;

    static final int ETHTOOL_GSTRINGS = 0x1B;
    /** {@code struct ethtool_gstrings}. */
    static final int STRING_SET_OFFSET = Integer.BYTES;
    static final int STRINGS_LENGTH_OFFSET = STRING_SET_OFFSET + Integer.BYTES;
    static final int STRINGS_OFFSET = STRINGS_LENGTH_OFFSET + Integer.BYTES;

    static final int ETHTOOL_GFEATURES = 0x3A;
    static final int ETHTOOL_SFEATURES = 0x3B;
    /** {@code struct ethtool_gfeatures} and {@code struct ethtool_sfeatures}: the number of blocks of 32 features. */
    static final int FEATURE_BLOCKS_OFFSET = Integer.BYTES;
    static final int FEATURES_OFFSET = FEATURE_BLOCKS_OFFSET + Integer.BYTES;
    /** {@code struct ethtool_get_features_block}: available, requested, active, never_changed. */
    static final int GET_BLOCK_SIZE = 4 * Integer.BYTES;
    static final int ACTIVE_OFFSET = 2 * Integer.BYTES;
    /** {@code struct ethtool_set_features_block}: valid, requested. */
    static final int SET_BLOCK_SIZE = 2 * Integer.BYTES;
    static final int REQUESTED_OFFSET = Integer.BYTES;

    private EthtoolLayout()
    {
    }
}
