package org.fibnuma.binding.netfilter;

import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netlink.NetlinkExchange;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.core.UserException;

import java.nio.ByteOrder;

/**
 * A table of nftables that labels the connections whose packets the host's ruleset accepts. Its only chain is the last
 * at postrouting, behind all others and before connection tracking confirms an entry, so that only packets arrive there
 * that no chain dropped. A packet of an established connection between interfaces of the router sets the labels of its
 * direction and of both interfaces:
 * <pre>
 *  ct state established ct label set iif . oif . ct direction map { ... }
 * </pre>
 * The table has no rule without an interface. A rule turns connection tracking on in the namespace. The kernel provides
 * new connections with labels while there is such a rule; those from before it get none.
 * <p>
 * The kernel removes the table when its socket closes, therefore also when the process is killed. One thread. Needs
 * Linux 5.12; the interface that a packet came in by is known at postrouting since Linux 5.7.
 */
public final class FlowLabelTable implements AutoCloseable
{
    private static final String CHAIN = "label";
    private static final String CHAIN_TYPE = "filter";
    /** Before the priority of nf_confirm, NF_IP_PRI_CONNTRACK_CONFIRM (linux/netfilter_ipv4.h, Linux 6.1). */
    private static final int PRIORITY = Integer.MAX_VALUE - 1;

    /** A name of which the kernel makes one that is not in use. */
    private static final String ANONYMOUS_SET = "__set%d";
    /** Number of the map in a transaction. */
    private static final int LABEL_MAP = 1;
    /**
     * Types of data by which nft prints sets: TYPE_IFINDEX, TYPE_CT_DIR and TYPE_INTEGER of nftables 1.0.6, 6 bits for
     * each part of a concatenation. The kernel does not use them. nft cannot list a map with TYPE_CT_LABEL.
     */
    private static final int TYPE_IFINDEX = 20;
    private static final int TYPE_PATH_AND_CT_DIR = (TYPE_IFINDEX << 6 | TYPE_IFINDEX) << 6 | 27;
    private static final int TYPE_INTEGER = 4;
    /**
     * Attributes of nft with the order of bytes, type and length of 8 bits each: NFTNL_UDATA_SET_DATABYTEORDER
     * (libnftnl/udata.h, 1.2.4), BYTEORDER_HOST_ENDIAN (nftables 1.0.6).
     */
    private static final int DATA_BYTE_ORDER = 1;
    private static final int HOST_ENDIAN = 1;
    private static final int KEY_LENGTH = 3 * Integer.BYTES;
    private static final int LABELS_LENGTH = 2 * Long.BYTES;

    /** An attribute has at most 65,535 bytes; the elements of a path, one for each direction, take 104. */
    private static final int PATHS_PER_MESSAGE = 512;
    private static final int BYTES_PER_PATH = 128;
    private static final int BYTES_BESIDE_ELEMENTS = 4096;

    private final String name;
    private final NetlinkExchange exchange;
    private final UnsafeBuffer index = new UnsafeBuffer(new byte[Integer.BYTES]);
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[KEY_LENGTH]);
    private final UnsafeBuffer userData = new UnsafeBuffer(new byte[2 * Byte.BYTES + Integer.BYTES]);
    private final UnsafeBuffer value = new UnsafeBuffer(new byte[LABELS_LENGTH]);
    private NetlinkRequest request = new NetlinkRequest(BYTES_BESIDE_ELEMENTS);
    private int sequence;

    private FlowLabelTable(final String name, final NetlinkExchange exchange)
    {
        this.name = name;
        this.exchange = exchange;
    }

    /**
     * Creates the table, without a rule, in the network namespace of the calling thread.
     *
     * @param name of the table in family inet, letters, digits and hyphens; not in use.
     * @throws UserException with one line for the user if the kernel refuses the table or such a rule. Then there is no
     *                       table.
     */
    public static FlowLabelTable open(final String name)
    {
        try
        {
            final FlowLabelTable table =
                new FlowLabelTable(name, new NetlinkExchange(NetlinkLayout.NETLINK_NETFILTER));
            try
            {
                table.create();
                table.verifyRule();
                return table;
            }
            catch (final SystemCallException | UserException ex)
            {
                table.close();
                throw ex;
            }
        }
        catch (final SystemCallException ex)
        {
            throw refused(ex.getMessage(), ex);
        }
    }

    /**
     * Replaces the rule and its sets in one transaction: each packet passes the former rule or the new one.
     *
     * @param labels           meaning of the labels.
     * @param interfaceIndexes the interfaces of the router by their positions in the labels, each once. Where it is 0,
     *                         no interface has the position.
     * @param slot             for the labels that are set from now on.
     * @throws UserException if the kernel refuses. Then the former rule remains.
     */
    public void update(final FlowLabels labels, final int[] interfaceIndexes, final int slot)
    {
        try
        {
            begin(interfaceIndexes.length * interfaceIndexes.length);
            message(NftablesLayout.NFT_MSG_DELRULE, 0)
                .addText(NftablesLayout.NFTA_RULE_TABLE, name).addText(NftablesLayout.NFTA_RULE_CHAIN, CHAIN);
            for (final int interfaceIndex : interfaceIndexes)
            {
                if (interfaceIndex != 0)
                {
                    addMap(labels, interfaceIndexes, slot);
                    addRule();
                    break;
                }
            }
            end();
            execute();
        }
        catch (final SystemCallException ex)
        {
            throw refused(ex.getMessage(), ex);
        }
    }

    /** Returns the name of the table. */
    public String name()
    {
        return name;
    }

    /** Returns the port of the table's socket. Notifications of the changes that the socket requested have it. */
    public int portId()
    {
        return exchange.portId();
    }

    /** Removes the table. Labels of connections remain. */
    @Override
    public void close()
    {
        exchange.close();
    }

    private void create()
    {
        begin(0);
        message(NftablesLayout.NFT_MSG_NEWTABLE, NetlinkLayout.NLM_F_CREATE | NetlinkLayout.NLM_F_EXCL)
            .addText(NftablesLayout.NFTA_TABLE_NAME, name)
            .addNetworkInt(NftablesLayout.NFTA_TABLE_FLAGS, NftablesLayout.NFT_TABLE_F_OWNER);
        message(NftablesLayout.NFT_MSG_NEWCHAIN, NetlinkLayout.NLM_F_CREATE)
            .addText(NftablesLayout.NFTA_CHAIN_TABLE, name)
            .addText(NftablesLayout.NFTA_CHAIN_NAME, CHAIN)
            .addText(NftablesLayout.NFTA_CHAIN_TYPE, CHAIN_TYPE)
            .addNetworkInt(NftablesLayout.NFTA_CHAIN_POLICY, NftablesLayout.NF_ACCEPT);
        final int hook = request.beginNested(NftablesLayout.NFTA_CHAIN_HOOK);
        request.addNetworkInt(NftablesLayout.NFTA_HOOK_HOOKNUM, NftablesLayout.NF_INET_POST_ROUTING)
            .addNetworkInt(NftablesLayout.NFTA_HOOK_PRIORITY, PRIORITY)
            .endNested(hook);
        end();
        execute();
    }

    /** Makes the kernel check a rule: it withdraws a transaction without an end. */
    private void verifyRule()
    {
        begin(0);
        addMap(new FlowLabels(0), new int[0], 0);
        addRule();
        request.addFlags(NetlinkLayout.NLM_F_ACK);
        execute();
    }

    private void begin(final int paths)
    {
        final int capacity = BYTES_BESIDE_ELEMENTS + paths * BYTES_PER_PATH;
        request = request.capacity() < capacity ? new NetlinkRequest(capacity) : request;
        sequence = exchange.nextSequence();
        request.clear().begin(NftablesLayout.NFNL_MSG_BATCH_BEGIN, 0, sequence, NftablesLayout.LENGTH)
            .putShort(NftablesLayout.RESOURCE_OFFSET, NftablesLayout.RESOURCE_NFTABLES);
    }

    private NetlinkRequest message(final int type, final int flags)
    {
        return request.begin(type, flags, sequence, NftablesLayout.LENGTH)
            .putByte(NftablesLayout.FAMILY_OFFSET, NftablesLayout.NFPROTO_INET);
    }

    private void end()
    {
        request.addFlags(NetlinkLayout.NLM_F_ACK)
            .begin(NftablesLayout.NFNL_MSG_BATCH_END, 0, sequence, NftablesLayout.LENGTH)
            .putShort(NftablesLayout.RESOURCE_OFFSET, NftablesLayout.RESOURCE_NFTABLES);
    }

    private void execute()
    {
        if (exchange.executeBatch(request) != 0)
        {
            throw refused(exchange.refusal(), null);
        }
    }

    private void addMap(final FlowLabels labels, final int[] interfaceIndexes, final int slot)
    {
        addSet(LABEL_MAP, NftablesLayout.NFT_SET_MAP, TYPE_PATH_AND_CT_DIR, KEY_LENGTH, DATA_BYTE_ORDER)
            .addNetworkInt(NftablesLayout.NFTA_SET_DATA_TYPE, TYPE_INTEGER)
            .addNetworkInt(NftablesLayout.NFTA_SET_DATA_LEN, LABELS_LENGTH);
        final int count = interfaceIndexes.length;
        for (int first = 0; first < count * count; first += PATHS_PER_MESSAGE)
        {
            final int map = beginElements(LABEL_MAP);
            for (int path = first; path < Math.min(count * count, first + PATHS_PER_MESSAGE); path++)
            {
                final int ingress = path / count;
                final int egress = path % count;
                if (interfaceIndexes[ingress] != 0 && interfaceIndexes[egress] != 0)
                {
                    key.putInt(0, interfaceIndexes[ingress]);
                    key.putInt(Integer.BYTES, interfaceIndexes[egress]);
                    addLabel(FlowLabels.ORIGINAL, labels.label(ingress, egress, FlowLabels.ORIGINAL, slot));
                    addLabel(FlowLabels.REPLY, labels.label(ingress, egress, FlowLabels.REPLY, slot));
                }
            }
            request.endNested(map);
        }
    }

    /** Adds a set that the kernel removes with the rule. */
    private NetlinkRequest addSet(
        final int id, final int flags, final int keyType, final int keyLength, final int byteOrder)
    {
        userData.putByte(0, (byte)byteOrder);
        userData.putByte(Byte.BYTES, (byte)Integer.BYTES);
        userData.putInt(2 * Byte.BYTES, HOST_ENDIAN);
        return message(NftablesLayout.NFT_MSG_NEWSET, NetlinkLayout.NLM_F_CREATE)
            .addText(NftablesLayout.NFTA_SET_TABLE, name)
            .addText(NftablesLayout.NFTA_SET_NAME, ANONYMOUS_SET)
            .addNetworkInt(NftablesLayout.NFTA_SET_ID, id)
            .addNetworkInt(NftablesLayout.NFTA_SET_FLAGS,
            NftablesLayout.NFT_SET_ANONYMOUS | NftablesLayout.NFT_SET_CONSTANT | flags)
            .addNetworkInt(NftablesLayout.NFTA_SET_KEY_TYPE, keyType)
            .addNetworkInt(NftablesLayout.NFTA_SET_KEY_LEN, keyLength)
            .addBytes(NftablesLayout.NFTA_SET_USERDATA, userData);
    }

    private int beginElements(final int setId)
    {
        return message(NftablesLayout.NFT_MSG_NEWSETELEM, NetlinkLayout.NLM_F_CREATE)
            .addText(NftablesLayout.NFTA_SET_ELEM_LIST_TABLE, name)
            .addText(NftablesLayout.NFTA_SET_ELEM_LIST_SET, ANONYMOUS_SET)
            .addNetworkInt(NftablesLayout.NFTA_SET_ELEM_LIST_SET_ID, setId)
            .beginNested(NftablesLayout.NFTA_SET_ELEM_LIST_ELEMENTS);
    }

    /** Adds an element whose key begins with the path that {@link #key} has. */
    private void addLabel(final int direction, final FlowLabels.Labels labels)
    {
        // The kernel writes the direction to the first byte of its register and clears the others.
        key.putInt(2 * Integer.BYTES, direction, ByteOrder.LITTLE_ENDIAN);
        value.putLong(0, labels.low());
        value.putLong(Long.BYTES, labels.high());
        final int element = request.beginNested(NftablesLayout.NFTA_LIST_ELEM);
        addData(NftablesLayout.NFTA_SET_ELEM_KEY, key);
        addData(NftablesLayout.NFTA_SET_ELEM_DATA, value);
        request.endNested(element);
    }

    private void addData(final int type, final UnsafeBuffer data)
    {
        final int nested = request.beginNested(type);
        request.addBytes(NftablesLayout.NFTA_DATA_VALUE, data).endNested(nested);
    }

    private void addRule()
    {
        message(NftablesLayout.NFT_MSG_NEWRULE, NetlinkLayout.NLM_F_CREATE | NetlinkLayout.NLM_F_APPEND)
            .addText(NftablesLayout.NFTA_RULE_TABLE, name)
            .addText(NftablesLayout.NFTA_RULE_CHAIN, CHAIN);
        final int expressions = request.beginNested(NftablesLayout.NFTA_RULE_EXPRESSIONS);
        addLoad("ct", NftablesLayout.NFTA_CT_KEY, NftablesLayout.NFT_CT_STATE, NftablesLayout.NFT_REG_1);
        addIsEstablished();
        addLoad("meta", NftablesLayout.NFTA_META_KEY, NftablesLayout.NFT_META_IIF, NftablesLayout.NFT_REG_1);
        addLoad("meta", NftablesLayout.NFTA_META_KEY, NftablesLayout.NFT_META_OIF, NftablesLayout.NFT_REG32_01);
        addLoad("ct", NftablesLayout.NFTA_CT_KEY, NftablesLayout.NFT_CT_DIRECTION, NftablesLayout.NFT_REG32_02);
        addExpression("lookup", () -> addLookup(LABEL_MAP)
            .addNetworkInt(NftablesLayout.NFTA_LOOKUP_DREG, NftablesLayout.NFT_REG_1));
        addExpression("ct", () -> request
            .addNetworkInt(NftablesLayout.NFTA_CT_KEY, NftablesLayout.NFT_CT_LABELS)
            .addNetworkInt(NftablesLayout.NFTA_CT_SREG, NftablesLayout.NFT_REG_1));
        request.endNested(expressions);
    }

    private void addLoad(final String expression, final int keyType, final int what, final int register)
    {
        // NFTA_CT_DREG has the number of NFTA_META_DREG.
        addExpression(expression, () -> request
            .addNetworkInt(keyType, what).addNetworkInt(NftablesLayout.NFTA_META_DREG, register));
    }

    private void addIsEstablished()
    {
        addExpression("bitwise", () ->
        {
            request.addNetworkInt(NftablesLayout.NFTA_BITWISE_SREG, NftablesLayout.NFT_REG_1)
                .addNetworkInt(NftablesLayout.NFTA_BITWISE_DREG, NftablesLayout.NFT_REG_1)
                .addNetworkInt(NftablesLayout.NFTA_BITWISE_LEN, Integer.BYTES);
            index.putInt(0, PacketMatch.STATE_ESTABLISHED);
            addData(NftablesLayout.NFTA_BITWISE_MASK, index);
            index.putInt(0, 0);
            addData(NftablesLayout.NFTA_BITWISE_XOR, index);
        });
        addExpression("cmp", () ->
        {
            request.addNetworkInt(NftablesLayout.NFTA_CMP_SREG, NftablesLayout.NFT_REG_1)
                .addNetworkInt(NftablesLayout.NFTA_CMP_OP, NftablesLayout.NFT_CMP_NEQ);
            index.putInt(0, 0);
            addData(NftablesLayout.NFTA_CMP_DATA, index);
        });
    }

    private NetlinkRequest addLookup(final int setId)
    {
        return request.addText(NftablesLayout.NFTA_LOOKUP_SET, ANONYMOUS_SET)
            .addNetworkInt(NftablesLayout.NFTA_LOOKUP_SET_ID, setId)
            .addNetworkInt(NftablesLayout.NFTA_LOOKUP_SREG, NftablesLayout.NFT_REG_1);
    }

    private void addExpression(final String expression, final Runnable attributes)
    {
        final int element = request.beginNested(NftablesLayout.NFTA_LIST_ELEM);
        request.addText(NftablesLayout.NFTA_EXPR_NAME, expression);
        final int data = request.beginNested(NftablesLayout.NFTA_EXPR_DATA);
        attributes.run();
        request.endNested(data).endNested(element);
    }

    private static UserException refused(final String reason, final Exception cause)
    {
        return new UserException("the kernel refuses a table of nftables that labels connections: " + reason +
            "; it needs nf_tables of Linux 5.12 or later with nft_ct and CONFIG_NF_CONNTRACK_LABELS", cause);
    }
}
