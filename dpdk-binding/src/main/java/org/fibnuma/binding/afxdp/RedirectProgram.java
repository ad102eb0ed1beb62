package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.bpf.BpfArithmetic;
import org.fibnuma.binding.bpf.BpfAssembler;
import org.fibnuma.binding.bpf.BpfCondition;
import org.fibnuma.binding.bpf.BpfHelper;
import org.fibnuma.binding.bpf.BpfMap;
import org.fibnuma.binding.bpf.BpfMapType;
import org.fibnuma.binding.bpf.BpfSize;
import org.fibnuma.binding.bpf.XdpAction;

import static org.fibnuma.binding.bpf.BpfRegister.R0;
import static org.fibnuma.binding.bpf.BpfRegister.R1;
import static org.fibnuma.binding.bpf.BpfRegister.R10;
import static org.fibnuma.binding.bpf.BpfRegister.R2;
import static org.fibnuma.binding.bpf.BpfRegister.R3;
import static org.fibnuma.binding.bpf.BpfRegister.R4;
import static org.fibnuma.binding.bpf.BpfRegister.R6;
import static org.fibnuma.binding.bpf.BpfRegister.R7;
import static org.fibnuma.binding.bpf.BpfRegister.R8;
import static org.fibnuma.binding.bpf.BpfRegister.R9;

/**
 * The transmitting part of a port's XDP program. It fills a blank frame of a live run with the next record of a
 * transmit queue and redirects it to the interface. This is fast because the kernel makes no socket buffer, and the
 * interface and its peer handle a burst at once.
 * <pre>
 *   blank frame, length selects the queue --&gt; next record --&gt; adjust tail, store bytes --&gt; redirect
 * </pre>
 * It is part of the attached program, because the kernel patches code for milliseconds whenever a program runs that is
 * not attached.
 */
final class RedirectProgram implements AutoCloseable
{
    private static final String DROP = "redirect-drop";
    private static final int INDEX_ON_STACK = -Integer.BYTES;
    private static final int LENGTH_ON_STACK = -2 * Long.BYTES;

    private final BpfMap interfaces;
    private final BpfMap records;
    private final long address;

    /**
     * Creates the maps.
     *
     * @param ifindex    sending interface, in the calling thread's network namespace.
     * @param queueCount number of transmit queues.
     */
    RedirectProgram(final int ifindex, final int queueCount)
    {
        this.interfaces = BpfMap.create(BpfMapType.DEVMAP, Integer.BYTES, Integer.BYTES, 1, 0, "fibnuma_egress");
        BpfMap map = null;
        try
        {
            interfaces.put(BpfMap.bytes(0), BpfMap.bytes(ifindex));
            map = BpfMap.create(
                BpfMapType.ARRAY, Integer.BYTES, RedirectLayout.SIZE, queueCount, BpfMap.MMAPABLE, "fibnuma_records");
            this.address = map.mapValues();
            this.records = map;
        }
        catch (final RuntimeException ex)
        {
            if (map != null)
            {
                map.close();
            }
            interfaces.close();
            throw ex;
        }
    }

    /** Returns the address of the state and records of a queue, with the layout {@link RedirectLayout}. */
    long address(final int queue)
    {
        return address + (long)queue * BpfMap.valueStride(RedirectLayout.SIZE);
    }

    /** Appends the instructions, which end the program; the context is in R6. */
    void appendTo(final BpfAssembler assembler)
    {
        appendFindQueue(assembler);
        appendTakeRecord(assembler);
        assembler
            .load(BpfSize.DOUBLE, R0, R10, LENGTH_ON_STACK)
            .mov(R2, R8)
            .alu(BpfArithmetic.SUB, R2, R0)
            .mov(R1, R6)
            .call(BpfHelper.XDP_ADJUST_TAIL)
            .jumpIf(BpfCondition.NOT_EQUAL, R0, 0, DROP)
            .mov(R1, R6)
            .mov(R2, 0)
            .mov(R3, R9)
            .alu(BpfArithmetic.ADD, R3, RedirectLayout.RECORDS_OFFSET + RedirectLayout.FRAME_OFFSET)
            .mov(R4, R8)
            .call(BpfHelper.XDP_STORE_BYTES)
            .jumpIf(BpfCondition.NOT_EQUAL, R0, 0, DROP)
            .movMap(R1, interfaces)
            .mov(R2, 0)
            .mov(R3, 0)
            .call(BpfHelper.REDIRECT_MAP)
            .exit()
            .label(DROP)
            .mov(R0, XdpAction.DROP)
            .exit();
    }

    @Override
    public void close()
    {
        records.close();
        interfaces.close();
    }

    /** R7 = the queue's state; the frame's length is on the stack. */
    private void appendFindQueue(final BpfAssembler assembler)
    {
        assembler
            .mov(R1, R6)
            .call(BpfHelper.XDP_GET_BUFF_LEN)
            .store(BpfSize.DOUBLE, R10, LENGTH_ON_STACK, R0)
            .alu(BpfArithmetic.SUB, R0, RedirectLayout.INITIAL_LENGTH)
            .store(BpfSize.WORD, R10, INDEX_ON_STACK, R0)
            .movMap(R1, records)
            .mov(R2, R10)
            .alu(BpfArithmetic.ADD, R2, INDEX_ON_STACK)
            .call(BpfHelper.MAP_LOOKUP_ELEM)
            .jumpIf(BpfCondition.EQUAL, R0, 0, DROP)
            .mov(R7, R0);
    }

    /** R9 = the record less RECORDS_OFFSET, R8 = length of its frame; advances the state. */
    private static void appendTakeRecord(final BpfAssembler assembler)
    {
        assembler
            .load(BpfSize.WORD, R1, R7, RedirectLayout.DONE_OFFSET)
            .load(BpfSize.WORD, R2, R7, RedirectLayout.COUNT_OFFSET)
            .jumpIf(BpfCondition.ABOVE_OR_EQUAL, R1, R2, DROP)
            .alu(BpfArithmetic.ADD, R1, 1)
            .store(BpfSize.WORD, R7, RedirectLayout.DONE_OFFSET, R1)
            .load(BpfSize.WORD, R8, R7, RedirectLayout.CURSOR_OFFSET)
            .jumpIf(BpfCondition.ABOVE, R8, RedirectLayout.RECORDS_SIZE - RedirectLayout.MAX_RECORD_SIZE, DROP)
            .mov(R9, R7)
            .alu(BpfArithmetic.ADD, R9, R8)
            .mov(R1, R8)
            .load(BpfSize.WORD, R8, R9, RedirectLayout.RECORDS_OFFSET + RedirectLayout.LENGTH_OFFSET)
            .jumpIf(BpfCondition.BELOW, R8, RedirectLayout.MIN_FRAME_LENGTH, DROP)
            .jumpIf(BpfCondition.ABOVE, R8, RedirectLayout.MAX_FRAME_LENGTH, DROP)
            .alu(BpfArithmetic.ADD, R1, R8)
            .alu(BpfArithmetic.ADD, R1, RedirectLayout.FRAME_OFFSET + RedirectLayout.ALIGNMENT - 1)
            .alu(BpfArithmetic.AND, R1, -RedirectLayout.ALIGNMENT)
            .store(BpfSize.WORD, R7, RedirectLayout.CURSOR_OFFSET, R1);
    }
}
