package org.fibnuma.binding.bpf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts an eBPF program together, instruction by instruction, with jumps to named labels. Instructions are encoded as
 * little-endian machines have them (linux/bpf.h struct bpf_insn, Documentation/bpf/instruction-set.rst, Linux 6.1).
 * The kernel's verifier judges the program when it is loaded. One thread.
 */
public final class BpfAssembler
{
    /** Bytes of an instruction. */
    static final int INSTRUCTION_SIZE = 8;

    private static final int CLASS_LD = 0x00;
    private static final int CLASS_LDX = 0x01;
    private static final int CLASS_ST = 0x02;
    private static final int CLASS_STX = 0x03;
    private static final int CLASS_ALU = 0x04;
    private static final int CLASS_JMP = 0x05;
    private static final int CLASS_ALU64 = 0x07;
    private static final int MODE_IMM = 0x00;
    private static final int MODE_MEM = 0x60;
    private static final int SOURCE_REGISTER = 0x08;
    private static final int OP_END = 0xD0;
    private static final int OP_CALL = 0x80;
    private static final int OP_EXIT = 0x90;
    private static final int PSEUDO_MAP_FD = 1;
    private static final int PSEUDO_MAP_VALUE = 2;

    private final List<Instruction> instructions = new ArrayList<>();
    private final Map<String, Integer> labels = new HashMap<>();

    /** An empty program. */
    public BpfAssembler()
    {
    }

    /**
     * {@code destination = *(base + offset)}, zero-extended.
     *
     * @param size        of what is read.
     * @param destination receives it.
     * @param base        holds an address.
     * @param offset      in bytes, 16 bits signed.
     * @return this.
     */
    public BpfAssembler load(
        final BpfSize size, final BpfRegister destination, final BpfRegister base, final int offset)
    {
        return add(CLASS_LDX | MODE_MEM | size.code(), destination, base, offset, 0);
    }

    /**
     * {@code *(base + offset) = source}.
     *
     * @param size   of what is written.
     * @param base   holds an address.
     * @param offset in bytes, 16 bits signed.
     * @param source low bits of which are written.
     * @return this.
     */
    public BpfAssembler store(final BpfSize size, final BpfRegister base, final int offset, final BpfRegister source)
    {
        return add(CLASS_STX | MODE_MEM | size.code(), base, source, offset, 0);
    }

    /**
     * {@code *(base + offset) = value}.
     *
     * @param size   of what is written.
     * @param base   holds an address.
     * @param offset in bytes, 16 bits signed.
     * @param value  sign-extended where eight bytes are written.
     * @return this.
     */
    public BpfAssembler store(final BpfSize size, final BpfRegister base, final int offset, final int value)
    {
        return add(CLASS_ST | MODE_MEM | size.code(), base, BpfRegister.R0, offset, value);
    }

    /**
     * {@code destination = destination op source}, 64 bits.
     *
     * @param operation   what is done.
     * @param destination first operand and result.
     * @param source      second operand.
     * @return this.
     */
    public BpfAssembler alu(
        final BpfArithmetic operation, final BpfRegister destination, final BpfRegister source)
    {
        return add(CLASS_ALU64 | SOURCE_REGISTER | operation.code(), destination, source, 0, 0);
    }

    /**
     * {@code destination = destination op value}, 64 bits.
     *
     * @param operation   what is done.
     * @param destination first operand and result.
     * @param value       second operand, sign-extended.
     * @return this.
     */
    public BpfAssembler alu(final BpfArithmetic operation, final BpfRegister destination, final int value)
    {
        return add(CLASS_ALU64 | operation.code(), destination, BpfRegister.R0, 0, value);
    }

    /**
     * {@code destination = destination op source} on the low 32 bits; the high ones become 0.
     *
     * @param operation   what is done.
     * @param destination first operand and result.
     * @param source      second operand.
     * @return this.
     */
    public BpfAssembler alu32(
        final BpfArithmetic operation, final BpfRegister destination, final BpfRegister source)
    {
        return add(CLASS_ALU | SOURCE_REGISTER | operation.code(), destination, source, 0, 0);
    }

    /**
     * {@code destination = destination op value} on the low 32 bits; the high ones become 0.
     *
     * @param operation   what is done.
     * @param destination first operand and result.
     * @param value       second operand.
     * @return this.
     */
    public BpfAssembler alu32(final BpfArithmetic operation, final BpfRegister destination, final int value)
    {
        return add(CLASS_ALU | operation.code(), destination, BpfRegister.R0, 0, value);
    }

    /**
     * {@code destination = source}.
     *
     * @param destination receives it.
     * @param source      is copied.
     * @return this.
     */
    public BpfAssembler mov(final BpfRegister destination, final BpfRegister source)
    {
        return alu(BpfArithmetic.MOV, destination, source);
    }

    /**
     * {@code destination = value}.
     *
     * @param destination receives it.
     * @param value       sign-extended.
     * @return this.
     */
    public BpfAssembler mov(final BpfRegister destination, final int value)
    {
        return alu(BpfArithmetic.MOV, destination, value);
    }

    /**
     * {@code destination = value}, all 64 bits.
     *
     * @param destination receives it.
     * @param value       to load.
     * @return this.
     */
    public BpfAssembler movLong(final BpfRegister destination, final long value)
    {
        return addWide(destination, BpfRegister.R0, (int)value, (int)(value >>> Integer.SIZE));
    }

    /**
     * {@code destination = map}, for helpers that take one. The map stays alive as long as the program.
     *
     * @param destination receives it.
     * @param map         an open map.
     * @return this.
     */
    public BpfAssembler movMap(final BpfRegister destination, final BpfMap map)
    {
        return addWide(destination, BpfRegister.values()[PSEUDO_MAP_FD], map.fd(), 0);
    }

    /**
     * {@code destination = address of a value of an array map with one entry}.
     *
     * @param destination receives it.
     * @param map         an open array map.
     * @param offset      bytes into the value.
     * @return this.
     */
    public BpfAssembler movMapValue(final BpfRegister destination, final BpfMap map, final int offset)
    {
        return addWide(destination, BpfRegister.values()[PSEUDO_MAP_VALUE], map.fd(), offset);
    }

    /**
     * Turns the low bytes of a register from network order to the machine's or back; the rest becomes 0.
     *
     * @param size        two, four or eight bytes.
     * @param destination is turned.
     * @return this.
     */
    public BpfAssembler networkOrder(final BpfSize size, final BpfRegister destination)
    {
        final int bits = size == BpfSize.HALF ? Short.SIZE : size == BpfSize.WORD ? Integer.SIZE : Long.SIZE;
        return add(CLASS_ALU | SOURCE_REGISTER | OP_END, destination, BpfRegister.R0, 0, bits);
    }

    /**
     * Goes on elsewhere.
     *
     * @param label where.
     * @return this.
     */
    public BpfAssembler jump(final String label)
    {
        instructions.add(new Instruction(CLASS_JMP, BpfRegister.R0, BpfRegister.R0, 0, 0, label));
        return this;
    }

    /**
     * Goes on elsewhere where a condition holds between two registers.
     *
     * @param condition   of the jump.
     * @param destination left operand.
     * @param source      right operand.
     * @param label       where.
     * @return this.
     */
    public BpfAssembler jumpIf(
        final BpfCondition condition, final BpfRegister destination, final BpfRegister source, final String label)
    {
        instructions.add(
            new Instruction(CLASS_JMP | SOURCE_REGISTER | condition.code(), destination, source, 0, 0, label));
        return this;
    }

    /**
     * Goes on elsewhere where a condition holds between a register and a number.
     *
     * @param condition   of the jump.
     * @param destination left operand.
     * @param value       right operand, sign-extended.
     * @param label       where.
     * @return this.
     */
    public BpfAssembler jumpIf(
        final BpfCondition condition, final BpfRegister destination, final int value, final String label)
    {
        instructions.add(
            new Instruction(CLASS_JMP | condition.code(), destination, BpfRegister.R0, 0, value, label));
        return this;
    }

    /**
     * Names the place of the next instruction.
     *
     * @param label unique in the program.
     * @return this.
     * @throws IllegalStateException where the name is taken.
     */
    public BpfAssembler label(final String label)
    {
        if (labels.put(label, instructions.size()) != null)
        {
            throw new IllegalStateException("label \"" + label + "\" is there twice");
        }
        return this;
    }

    /**
     * Calls the kernel: arguments in R1 to R5, which are lost, result in R0.
     *
     * @param helper to call.
     * @return this.
     */
    public BpfAssembler call(final BpfHelper helper)
    {
        return add(CLASS_JMP | OP_CALL, BpfRegister.R0, BpfRegister.R0, 0, helper.number());
    }

    /**
     * Ends the program with what is in R0.
     *
     * @return this.
     */
    public BpfAssembler exit()
    {
        return add(CLASS_JMP | OP_EXIT, BpfRegister.R0, BpfRegister.R0, 0, 0);
    }

    /**
     * The finished program.
     *
     * @return {@code struct bpf_insn} after {@code struct bpf_insn}.
     * @throws IllegalStateException where a label is missing or too far away.
     */
    public byte[] assemble()
    {
        final ByteBuffer code =
            ByteBuffer.allocate(instructions.size() * INSTRUCTION_SIZE).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < instructions.size(); i++)
        {
            final Instruction instruction = instructions.get(i);
            code.put((byte)instruction.opcode())
                .put((byte)(instruction.source().ordinal() << 4 | instruction.destination().ordinal()))
                .putShort(instruction.label() == null ? (short)instruction.offset() : distance(i, instruction.label()))
                .putInt(instruction.immediate());
        }
        return code.array();
    }

    private short distance(final int from, final String label)
    {
        final Integer to = labels.get(label);
        if (to == null)
        {
            throw new IllegalStateException("label \"" + label + "\" is nowhere");
        }
        final int distance = to - from - 1;
        if (distance != (short)distance)
        {
            throw new IllegalStateException("label \"" + label + "\" is " + distance + " instructions away");
        }
        return (short)distance;
    }

    private BpfAssembler addWide(
        final BpfRegister destination, final BpfRegister source, final int low, final int high)
    {
        add(CLASS_LD | MODE_IMM | BpfSize.DOUBLE.code(), destination, source, 0, low);
        return add(0, BpfRegister.R0, BpfRegister.R0, 0, high);
    }

    private BpfAssembler add(
        final int opcode,
        final BpfRegister destination,
        final BpfRegister source,
        final int offset,
        final int immediate)
    {
        if (offset != (short)offset)
        {
            throw new IllegalArgumentException("offset " + offset + " does not fit 16 bits");
        }
        instructions.add(new Instruction(opcode, destination, source, offset, immediate, null));
        return this;
    }

    private record Instruction(
        int opcode, BpfRegister destination, BpfRegister source, int offset, int immediate, String label)
    {
    }
}
