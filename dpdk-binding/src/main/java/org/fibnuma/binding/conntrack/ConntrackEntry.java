package org.fibnuma.binding.conntrack;

import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.binding.netlink.NfnetlinkLayout;
import org.fibnuma.core.flow.FlowTuple;

import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_HELP;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_ID;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_LABELS;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_MARK;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_PROTOINFO;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_PROTOINFO_SCTP;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_PROTOINFO_SCTP_STATE;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_PROTOINFO_TCP;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_PROTOINFO_TCP_FLAGS_ORIGINAL;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_PROTOINFO_TCP_FLAGS_REPLY;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_PROTOINFO_TCP_STATE;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_SEQ_ADJ_ORIG;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_SEQ_ADJ_REPLY;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_STATUS;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_SYNPROXY;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_TIMEOUT;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_TUPLE_MASTER;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_TUPLE_ORIG;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_TUPLE_REPLY;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_ZONE;
import static org.fibnuma.binding.conntrack.ConntrackLayout.TCP_FLAGS_SHIFT;

/**
 * What one message says about an entry of the connection tracking table. Immutable.
 * <p>
 * {@link Conntrack#get} and {@link Conntrack#dump} report everything that the entry has, but neither timeout nor state
 * of TCP while the connection is in a flowtable (ctnetlink_dump_info, Linux 6.18). An event always has the tuples, the
 * zone, the status and the identifier, and unless it is a destruction the timeout. Helper, labels, state of TCP and
 * SCTP, sequence adjustment and SYN proxy are in an event only if they changed: their absence says nothing.
 */
public final class ConntrackEntry
{
    /** Bit of {@link #status()} (IPS_EXPECTED, linux/netfilter/nf_conntrack_common.h, Linux 6.1, as the others). */
    public static final int EXPECTED = 1;
    /** Packets of both directions were seen. */
    public static final int SEEN_REPLY = 1 << 1;
    /** The entry is not removed early when the table is full. */
    public static final int ASSURED = 1 << 2;
    /** The first packet has left the host. */
    public static final int CONFIRMED = 1 << 3;
    /** The source of the original direction is translated. */
    public static final int SRC_NAT = 1 << 4;
    /** The destination of the original direction is translated. */
    public static final int DST_NAT = 1 << 5;
    /** TCP sequence numbers are adjusted. */
    public static final int SEQ_ADJUST = 1 << 6;
    /** The decision about the source is made; also set if it is not translated. */
    public static final int SRC_NAT_DONE = 1 << 7;
    /** The decision about the destination is made; also set if it is not translated. */
    public static final int DST_NAT_DONE = 1 << 8;
    /** The entry was removed from the table. */
    public static final int DYING = 1 << 9;
    /** The timeout cannot be changed: neither by packets nor by requests. */
    public static final int FIXED_TIMEOUT = 1 << 10;
    public static final int TEMPLATE = 1 << 11;
    /**
     * The entry has the same tuple as another one (IPS_NAT_CLASH; IPS_UNTRACKED in the header for programs, which the
     * kernel no longer uses).
     */
    public static final int NAT_CLASH = 1 << 12;
    /** A helper was assigned by a rule or a request. */
    public static final int HELPER = 1 << 13;
    /** The connection is in a flowtable. */
    public static final int OFFLOAD = 1 << 14;
    /** The connection is in the hardware of an interface. */
    public static final int HW_OFFLOAD = 1 << 15;

    /** Value of {@link #tcpState()} (TCP_CONNTRACK_ESTABLISHED, nf_conntrack_tcp.h, Linux 6.1). */
    public static final int TCP_ESTABLISHED = 3;
    /** Value of {@link #sctpState()} (SCTP_CONNTRACK_ESTABLISHED, nf_conntrack_sctp.h, Linux 6.1). */
    public static final int SCTP_ESTABLISHED = 4;
    /** Bit of the TCP flags: the window of this direction is not checked (IP_CT_TCP_FLAG_BE_LIBERAL). */
    public static final int TCP_BE_LIBERAL = 0x08;
    /**
     * Bit of the TCP flags: the highest acknowledged number is valid (IP_CT_TCP_FLAG_MAXACK_SET). While it is set, the
     * kernel judges a RST by that number, even with {@link #TCP_BE_LIBERAL}.
     */
    public static final int TCP_MAXACK_SET = 0x20;

    /** Value of fields that the message does not have. */
    public static final int ABSENT = -1;

    private FlowTuple original;
    private FlowTuple reply;
    private int zone;
    private boolean hasDirectionalZone;
    private int id;
    private int status;
    private int timeoutSeconds = ABSENT;
    private int mark;
    private boolean hasLabels;
    private long labelsHigh;
    private long labelsLow;
    private int tcpState = ABSENT;
    private int sctpState = ABSENT;
    private int originalTcpFlags = ABSENT;
    private int replyTcpFlags = ABSENT;
    private boolean hasHelper;
    private boolean hasSequenceAdjustment;
    private boolean hasSynproxy;
    private boolean hasMaster;

    private ConntrackEntry()
    {
    }

    /** Returns what packets of the original direction have when they arrive. */
    public FlowTuple original()
    {
        return original;
    }

    /**
     * Returns what packets of the reply direction have when they arrive. Without address translation it is the inverse
     * of {@link #original()}.
     */
    public FlowTuple reply()
    {
        return reply;
    }

    /** Returns the zone of both directions, 0 to 65,535; 0 if there is none or {@link #hasDirectionalZone()}. */
    public int zone()
    {
        return zone;
    }

    /** Returns whether only one direction has a zone, so that the tuples are of different zones. */
    public boolean hasDirectionalZone()
    {
        return hasDirectionalZone;
    }

    /** Returns a number that differs between successive entries of the same tuples. */
    public int id()
    {
        return id;
    }

    /** Returns bits such as {@link #ASSURED}. */
    public int status()
    {
        return status;
    }

    /** Returns whether the connection is in a flowtable. Then it was established, and its packets pass no chain. */
    public boolean isOffloaded()
    {
        return (status & OFFLOAD) != 0;
    }

    /** Returns the time in s until the entry expires, or {@link #ABSENT}. */
    public int timeoutSeconds()
    {
        return timeoutSeconds;
    }

    /** Returns the connection mark; 0 if there is none. */
    public int mark()
    {
        return mark;
    }

    /** Returns whether the message has labels. */
    public boolean hasLabels()
    {
        return hasLabels;
    }

    /** Returns the labels 64 to 127: bit n is label 64 + n of {@code ct label} in nftables. */
    public long labelsHigh()
    {
        return labelsHigh;
    }

    /** Returns the labels 0 to 63: bit n is label n of {@code ct label} in nftables. */
    public long labelsLow()
    {
        return labelsLow;
    }

    /** Returns the TCP state, such as {@link #TCP_ESTABLISHED}, or {@link #ABSENT}. */
    public int tcpState()
    {
        return tcpState;
    }

    /** Returns the SCTP state, such as {@link #SCTP_ESTABLISHED}, or {@link #ABSENT}. */
    public int sctpState()
    {
        return sctpState;
    }

    /** Returns bits such as {@link #TCP_BE_LIBERAL} of the sender of the original direction, or {@link #ABSENT}. */
    public int originalTcpFlags()
    {
        return originalTcpFlags;
    }

    /** Returns bits such as {@link #TCP_BE_LIBERAL} of the sender of the reply direction, or {@link #ABSENT}. */
    public int replyTcpFlags()
    {
        return replyTcpFlags;
    }

    /** Returns whether the message names a helper, which reads the payload of the connection. */
    public boolean hasHelper()
    {
        return hasHelper;
    }

    /** Returns whether TCP sequence numbers are adjusted. */
    public boolean hasSequenceAdjustment()
    {
        return hasSequenceAdjustment;
    }

    /** Returns whether the message has the state of a SYN proxy. */
    public boolean hasSynproxy()
    {
        return hasSynproxy;
    }

    /** Returns whether another connection announced this one: it was expected. */
    public boolean hasMaster()
    {
        return hasMaster;
    }

    @Override
    public String toString()
    {
        return original + ", reply " + reply + (zone == 0 ? "" : ", zone " + zone) + ", status 0x" +
            Integer.toHexString(status) + (timeoutSeconds == ABSENT ? "" : ", " + timeoutSeconds + " s") +
            (tcpState == ABSENT ? "" : ", TCP state " + tcpState);
    }

    /** Decodes messages of the types IPCTNL_MSG_CT_NEW and IPCTNL_MSG_CT_DELETE. One thread. */
    static final class Decoder
    {
        private final TupleCodec tuples = new TupleCodec();
        private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
        private final NetlinkAttributeFlyweight protocols = new NetlinkAttributeFlyweight();
        private final NetlinkAttributeFlyweight fields = new NetlinkAttributeFlyweight();

        /**
         * Decodes one message. Returns null if it is malformed, or if it is not about an entry of IPv4 or IPv6 that
         * {@link FlowTuple} can represent.
         */
        ConntrackEntry decode(final NetlinkMessageFlyweight message)
        {
            if (!message.wrapAttributes(attributes, NfnetlinkLayout.LENGTH))
            {
                return null;
            }
            final int family = message.buffer().getByte(message.payloadOffset() + NfnetlinkLayout.FAMILY_OFFSET);
            final boolean isIpv6 = family == SysSocket.AF_INET6;
            if (!isIpv6 && family != SysSocket.AF_INET)
            {
                return null;
            }
            final ConntrackEntry entry = new ConntrackEntry();
            while (attributes.next())
            {
                read(entry, isIpv6);
            }
            final boolean isComplete = entry.original != null && entry.reply != null && !attributes.isMalformed();
            return isComplete ? entry : null;
        }

        private void read(final ConntrackEntry entry, final boolean isIpv6)
        {
            switch (attributes.type())
            {
                case CTA_TUPLE_ORIG ->
                {
                    entry.original = tuples.read(attributes, isIpv6);
                    entry.hasDirectionalZone |= tuples.hasZone();
                }
                case CTA_TUPLE_REPLY ->
                {
                    entry.reply = tuples.read(attributes, isIpv6);
                    entry.hasDirectionalZone |= tuples.hasZone();
                }
                case CTA_STATUS ->
                {
                    entry.status = attributes.networkIntValue(0);
                    entry.hasMaster |= (entry.status & EXPECTED) != 0;
                    entry.hasSequenceAdjustment |= (entry.status & SEQ_ADJUST) != 0;
                    entry.hasHelper |= (entry.status & HELPER) != 0;
                }
                case CTA_PROTOINFO -> readProtocolState(entry);
                case CTA_HELP -> entry.hasHelper = true;
                case CTA_TIMEOUT -> entry.timeoutSeconds = attributes.networkIntValue(ABSENT);
                case CTA_MARK -> entry.mark = attributes.networkIntValue(0);
                case CTA_ID -> entry.id = attributes.networkIntValue(0);
                case CTA_TUPLE_MASTER -> entry.hasMaster = true;
                case CTA_SEQ_ADJ_ORIG, CTA_SEQ_ADJ_REPLY -> entry.hasSequenceAdjustment = true;
                case CTA_ZONE -> entry.zone = attributes.networkShortValue(0);
                case CTA_LABELS -> readLabels(entry);
                case CTA_SYNPROXY -> entry.hasSynproxy = true;
                default ->
                {
                }
            }
        }

        private void readLabels(final ConntrackEntry entry)
        {
            if (attributes.valueLength() == 2 * Long.BYTES)
            {
                entry.hasLabels = true;
                entry.labelsLow = attributes.buffer().getLong(attributes.valueOffset());
                entry.labelsHigh = attributes.buffer().getLong(attributes.valueOffset() + Long.BYTES);
            }
        }

        private void readProtocolState(final ConntrackEntry entry)
        {
            protocols.wrapNested(attributes);
            while (protocols.next())
            {
                fields.wrapNested(protocols);
                if (protocols.type() == CTA_PROTOINFO_TCP)
                {
                    readTcpState(entry);
                }
                else if (protocols.type() == CTA_PROTOINFO_SCTP && fields.find(CTA_PROTOINFO_SCTP_STATE))
                {
                    entry.sctpState = fields.byteValue(ABSENT);
                }
            }
        }

        private void readTcpState(final ConntrackEntry entry)
        {
            while (fields.next())
            {
                switch (fields.type())
                {
                    case CTA_PROTOINFO_TCP_STATE -> entry.tcpState = fields.byteValue(ABSENT);
                    case CTA_PROTOINFO_TCP_FLAGS_ORIGINAL ->
                        entry.originalTcpFlags = fields.networkShortValue(ABSENT) >> TCP_FLAGS_SHIFT;
                    case CTA_PROTOINFO_TCP_FLAGS_REPLY ->
                        entry.replyTcpFlags = fields.networkShortValue(ABSENT) >> TCP_FLAGS_SHIFT;
                    default ->
                    {
                    }
                }
            }
        }
    }
}
