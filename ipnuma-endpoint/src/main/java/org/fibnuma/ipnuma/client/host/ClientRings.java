package org.fibnuma.ipnuma.client.host;

import org.agrona.concurrent.AtomicBuffer;
import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.ipnuma.client.ClientException;
import org.fibnuma.ipnuma.client.ClientLayout;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.client.ClientStatus;
import org.fibnuma.ipnuma.memory.RegionFile;
import org.fibnuma.ipnuma.memory.RegionStore;
import org.fibnuma.ipnuma.table.RegionTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.TimeUnit;

/**
 * All clients of an endpoint. Everything is called on the endpoint's thread; {@link #poll} belongs into its duty cycle
 * and neither allocates nor makes a system call except where clients come and go and regions are made.
 */
public final class ClientRings implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(ClientRings.class);
    private static final int RECORDS_A_TURN = 16;
    private static final int TICKS_A_TIMEOUT = 8;
    private static final long MAX_TICK_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long PROCESS_CHECK_NS = TimeUnit.SECONDS.toNanos(1);

    private final ClientSettings settings;
    private final DescriptorFile file;
    private final RegionList list;
    private final ClientRegions regions;
    private final PendingAnswers pending;
    private final ClientRequests requests;
    private final ClientSlot[] slots;
    private final ClientSlot[] active;
    private final long tickNs;
    private int activeCount;
    private long lastTickNs;
    private long lastProcessCheckNs;
    private long diedCount;
    private boolean closed;

    private ClientRings(
        final ClientSettings settings,
        final RegionStore store,
        final RegionTable table,
        final PeerOutlet outlet,
        final long nowNs)
    {
        this.settings = settings;
        this.file = DescriptorFile.create(settings, nowNs);
        final AtomicBuffer buffer = file.buffer();
        this.list = new RegionList(buffer, settings.regionCapacity());
        file.watch(list::write);
        this.regions = new ClientRegions(store, table, list, settings.regionBytes());
        this.pending = new PendingAnswers(settings.slots());
        this.requests = new ClientRequests(outlet, regions, pending);
        this.slots = new ClientSlot[settings.slots()];
        this.active = new ClientSlot[settings.slots()];
        this.tickNs = Math.min(settings.timeoutNs() / TICKS_A_TIMEOUT, MAX_TICK_NS);
        this.lastTickNs = nowNs;
        this.lastProcessCheckNs = nowNs;
        for (int i = 0; i < slots.length; i++)
        {
            slots[i] = new ClientSlot(
                buffer,
                ClientLayout.slotsOffset(settings.regionCapacity()) +
                    i * ClientLayout.slotStride(settings.ringCapacity()),
                settings.ringCapacity(),
                i);
        }
        if (FrameMemory.BOUNDS_CHECKS)
        {
            FrameBounds.register(buffer.addressOffset(), buffer.capacity(), buffer.capacity());
        }
    }

    /**
     * Opens the door for clients.
     *
     * @param settings with the endpoint's directory.
     * @param store    of that directory, which this process owns; outlives this.
     * @param table    to add clients' regions to and take them from.
     * @param outlet   to the peers.
     * @param nowNs    of {@link System#nanoTime}, as for {@link #poll}.
     * @return the rings; the caller closes them before the store.
     * @throws ClientException saying in one line why the file cannot be made.
     */
    public static ClientRings open(
        final ClientSettings settings,
        final RegionStore store,
        final RegionTable table,
        final PeerOutlet outlet,
        final long nowNs)
    {
        return new ClientRings(settings, store, table, outlet, nowNs);
    }

    /**
     * Lets clients find a region of the endpoint's own.
     *
     * @param region that stays open as long as this does.
     * @throws ClientException where the list is full.
     */
    public void announce(final RegionFile region)
    {
        if (!list.hasRoom(region.mapping().file().toString()) || !list.add(region, RegionList.ENDPOINT))
        {
            throw new ClientException("region " + region.request().name() + ": the list for clients is full, or " +
                region.mapping().file() + " is too long for it");
        }
    }

    /**
     * One turn: records of every client, a few of each; now and then heartbeats and the dead.
     *
     * @param nowNs of {@link System#nanoTime}, the clock of the clients' heartbeats.
     * @return records done.
     */
    public int poll(final long nowNs)
    {
        int work = 0;
        for (int i = 0; i < activeCount; i++)
        {
            work += requests.poll(active[i], RECORDS_A_TURN);
        }
        if (nowNs - lastTickNs >= tickNs)
        {
            lastTickNs = nowNs;
            tick(nowNs);
        }
        return work;
    }

    private void tick(final long nowNs)
    {
        file.heartbeat(nowNs);
        final boolean checkProcesses = nowNs - lastProcessCheckNs >= PROCESS_CHECK_NS;
        if (checkProcesses)
        {
            lastProcessCheckNs = nowNs;
        }
        int count = 0;
        for (final ClientSlot slot : slots)
        {
            tick(slot, nowNs, checkProcesses);
            final int state = slot.state();
            if ((state == ClientLayout.SLOT_ACTIVE || state == ClientLayout.SLOT_CLOSING) && !slot.isGivenUp())
            {
                active[count++] = slot;
            }
        }
        activeCount = count;
    }

    private void tick(final ClientSlot slot, final long nowNs, final boolean checkProcesses)
    {
        final int state = slot.state();
        if (slot.isGivenUp())
        {
            tickGivenUp(slot, state, checkProcesses);
            return;
        }
        switch (state)
        {
            case ClientLayout.SLOT_FREE:
                if (slot.isInUse())
                {
                    giveUp(slot, state, "has called its place free while it had it");
                }
                break;
            case ClientLayout.SLOT_CLAIMED:
                if (slot.isClaimStale(nowNs, settings.timeoutNs()))
                {
                    giveUp(slot, state, "has died while it connected");
                }
                break;
            case ClientLayout.SLOT_ACTIVE:
                slot.use();
                if (slot.isSpoiled())
                {
                    giveUp(slot, state, "has sent a record that is none");
                }
                else if (slot.isSilent(nowNs, settings.timeoutNs()))
                {
                    giveUp(slot, state, "has given no sign of life for " +
                        TimeUnit.NANOSECONDS.toMillis(settings.timeoutNs()) + " ms");
                }
                break;
            case ClientLayout.SLOT_CLOSING:
                // What it sent before it ended still goes out.
                if (requests.poll(slot, RECORDS_A_TURN) == 0 && slot.isDrained() || slot.isSpoiled() ||
                    slot.isSilent(nowNs, settings.timeoutNs()))
                {
                    release(slot);
                }
                break;
            default:
                giveUp(slot, state, "has stored a state that is none");
                break;
        }
    }

    /** Its place stays until its client says that it has ended or its process is gone. */
    private void tickGivenUp(final ClientSlot slot, final int state, final boolean checkProcesses)
    {
        if (state == ClientLayout.SLOT_CLOSING || checkProcesses && ProcessHandle.of(slot.pid()).isEmpty())
        {
            release(slot);
        }
        else if (state != ClientLayout.SLOT_DEAD)
        {
            slot.changeState(state, ClientLayout.SLOT_DEAD);
        }
    }

    /** Its regions go at once; its place stays until nobody can store there any more. One line of log for a client. */
    private void giveUp(final ClientSlot slot, final int state, final String reason)
    {
        if (slot.changeState(state, ClientLayout.SLOT_DEAD))
        {
            diedCount++;
            slot.giveUp();
            pending.removeOf(slot);
            final int revoked = regions.revokeOf(slot.index());
            LOG.warn("client {} (pid {}) {}: {} regions revoked", slot.index(), slot.pid(), reason, revoked);
        }
    }

    private void release(final ClientSlot slot)
    {
        pending.removeOf(slot);
        regions.revokeOf(slot.index());
        slot.reset();
    }

    /**
     * Whether an answer is for a client.
     *
     * @param tag of a read or atomic operation; the endpoint's own must be below 2^62.
     * @return true where {@link #onRead} or {@link #onAtomic} takes it.
     */
    public static boolean isTag(final long tag)
    {
        return PendingAnswers.isTag(tag);
    }

    /**
     * Bytes from a peer.
     *
     * @param tag     given to {@link PeerOutlet#read}.
     * @param address of the bytes; not read where the status is not OK.
     * @param length  that was asked for.
     * @param status  of {@code AccessStatus}.
     */
    public void onRead(final long tag, final long address, final int length, final int status)
    {
        final ClientSlot slot = pending.slot(tag);
        if (slot != null)
        {
            final long correlation = pending.correlation(tag);
            pending.remove(tag);
            final boolean read = status == ClientStatus.OK && length <= ClientMessage.MAX_DATA_LENGTH;
            if (read)
            {
                slot.answerRead(correlation, status, address, length);
            }
            else
            {
                slot.answer(ClientMessage.READ_DONE, correlation, status, 0, 0);
            }
        }
    }

    /**
     * An atomic operation is done at a peer.
     *
     * @param tag      given to {@link PeerOutlet#atomic}.
     * @param previous value before.
     * @param status   of {@code AccessStatus}.
     */
    public void onAtomic(final long tag, final long previous, final int status)
    {
        final ClientSlot slot = pending.slot(tag);
        if (slot != null)
        {
            final long correlation = pending.correlation(tag);
            pending.remove(tag);
            slot.answer(ClientMessage.ATOMIC_DONE, correlation, status, 0, previous);
        }
    }

    /**
     * What became of a write.
     *
     * @param tag    given to {@link PeerOutlet#write}.
     * @param status of {@link ClientStatus}.
     */
    public void onWritten(final long tag, final int status)
    {
        final ClientSlot slot = pending.slot(tag);
        if (slot != null)
        {
            final long correlation = pending.correlation(tag);
            pending.remove(tag);
            slot.answer(ClientMessage.WRITE_DONE, correlation, status, 0, 0);
        }
    }

    /**
     * A peer went away before it answered a read, an atomic operation or a write.
     *
     * @param tag given to {@link PeerOutlet}.
     */
    public void onUnanswered(final long tag)
    {
        final ClientSlot slot = pending.slot(tag);
        if (slot != null)
        {
            final int type = pending.answerType(tag);
            final long correlation = pending.correlation(tag);
            pending.remove(tag);
            slot.answer(type, correlation, ClientStatus.UNANSWERED, 0, 0);
        }
    }

    /**
     * Tells every client what happened to a peer.
     *
     * @param type   {@link ClientMessage#PEER_UP} to {@link ClientMessage#PEER_ERROR}.
     * @param peerId PC ID.
     * @param status of an error.
     * @param value  writes that did not get there, or the remote address of an error.
     */
    public void onPeer(final int type, final int peerId, final int status, final long value)
    {
        for (int i = 0; i < activeCount; i++)
        {
            if (type == ClientMessage.PEER_DOWN || type == ClientMessage.PEER_RESTARTED)
            {
                active[i].onFailure(type, peerId, value);
            }
            else
            {
                active[i].event(type, peerId, status, value);
            }
        }
    }

    /** Clients that are connected, or have ended and left records that are not done. */
    public int clientCount()
    {
        return activeCount;
    }

    /** Clients that were given up since the start. */
    public long diedCount()
    {
        return diedCount;
    }

    /** Tells the clients that the endpoint ends, revokes their regions and removes the file. */
    @Override
    public void close()
    {
        if (!closed)
        {
            closed = true;
            regions.revokeAll();
            if (FrameMemory.BOUNDS_CHECKS)
            {
                FrameBounds.unregister(file.buffer().addressOffset());
            }
            file.close();
        }
    }
}
