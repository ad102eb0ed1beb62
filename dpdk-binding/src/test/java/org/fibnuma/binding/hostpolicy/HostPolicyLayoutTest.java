package org.fibnuma.binding.hostpolicy;

import org.fibnuma.binding.libc.HeaderProbe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Every constant that carries the name of one in C, and where the fields are. */
class HostPolicyLayoutTest
{
    @Test
    void shouldAgreeWithTheHeaders(@TempDir final Path directory) throws IOException, IllegalAccessException
    {
        final Map<String, Long> expected = new HashMap<>();
        for (final Class<?> type : List.of(
            NetconfLayout.class, RuleLayout.class, LinkPolicyLayout.class, IpsecLayout.class))
        {
            for (final Field field : type.getDeclaredFields())
            {
                final String name = field.getName();
                if (!name.endsWith("_OFFSET") && !name.endsWith("LENGTH") && !name.startsWith("TC_"))
                {
                    expected.put(name, field.getLong(null));
                }
            }
        }
        expected.put("sizeof(struct netconfmsg)", (long)NetconfLayout.LENGTH);
        expected.put("sizeof(struct fib_rule_hdr)", (long)RuleLayout.LENGTH);
        expected.put("offsetof(struct fib_rule_hdr, dst_len)", (long)RuleLayout.DST_LEN_OFFSET);
        expected.put("offsetof(struct fib_rule_hdr, src_len)", (long)RuleLayout.SRC_LEN_OFFSET);
        expected.put("offsetof(struct fib_rule_hdr, tos)", (long)RuleLayout.TOS_OFFSET);
        expected.put("offsetof(struct fib_rule_hdr, table)", (long)RuleLayout.TABLE_OFFSET);
        expected.put("offsetof(struct fib_rule_hdr, action)", (long)RuleLayout.ACTION_OFFSET);
        expected.put("offsetof(struct fib_rule_hdr, flags)", (long)RuleLayout.FLAGS_OFFSET);
        expected.put("sizeof(struct xfrm_userpolicy_info)", (long)IpsecLayout.LENGTH);
        expected.put("sizeof(struct xfrm_userpolicy_id)", (long)IpsecLayout.ID_LENGTH);
        expected.put("offsetof(struct xfrm_userpolicy_info, sel.family)", (long)IpsecLayout.FAMILY_OFFSET);
        expected.put("offsetof(struct xfrm_userpolicy_info, dir)", (long)IpsecLayout.DIRECTION_OFFSET);
        expected.put("offsetof(struct xfrm_userpolicy_info, action)", (long)IpsecLayout.ACTION_OFFSET);
        expected.put("sizeof(struct xfrm_userpolicy_default)", (long)IpsecLayout.DEFAULT_LENGTH);
        expected.put("offsetof(struct xfrm_userpolicy_default, fwd)", (long)IpsecLayout.DEFAULT_FORWARD_OFFSET);
        expected.put("offsetof(struct xfrm_userpolicy_default, out)", (long)IpsecLayout.DEFAULT_OUT_OFFSET);
        expected.put("sizeof(struct tcmsg)", (long)LinkPolicyLayout.TC_LENGTH);
        expected.put("offsetof(struct tcmsg, tcm_ifindex)", (long)LinkPolicyLayout.TC_INDEX_OFFSET);
        expected.put("offsetof(struct tcmsg, tcm_handle)", (long)LinkPolicyLayout.TC_HANDLE_OFFSET);
        expected.put("offsetof(struct tcmsg, tcm_parent)", (long)LinkPolicyLayout.TC_PARENT_OFFSET);
        expected.put("(int)TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_INGRESS)", (long)LinkPolicyLayout.TC_INGRESS);
        expected.put("(int)TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_EGRESS)", (long)LinkPolicyLayout.TC_EGRESS);
        HeaderProbe.check(directory, List.of(
            "linux/netconf.h", "linux/rtnetlink.h", "linux/fib_rules.h", "linux/if_link.h",
            "linux/pkt_sched.h", "linux/pkt_cls.h", "linux/xfrm.h"), expected);
    }
}
