// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.program.RunningCommand;
import io.github.rdma4j.support.Program;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code rdma4j devices} beside {@code ibv_devinfo} of rdma-core: each line of the C program is one of ours. */
@RequiresKernel
class DevicesInteropIT {
    /** What the C library knows from the driver's own library, prints as a title, or says in a sentence. */
    private static final Pattern LEFT_OUT =
            Pattern.compile("tso_caps:|max_tso:.*|rss_caps:|rx_hash_.*|packet_pacing_caps:"
                    + "|qp_rate_limit_.*|tag matching.*|port_cap_flags2:.*|completion_timestamp_mask.*|core clock.*|hca_core_clock.*"
                    + "|Unknown flags.*|num_comp_vectors:.*|board_id:.*");

    private static final Pattern GID = Pattern.compile("(GID\\[ *\\d+\\]: )([0-9a-f:.]+)(, .*)");

    private static List<String> lines(String text) {
        return text.lines()
                .map(line -> line.trim().replaceAll("\\s+", " "))
                .filter(line -> !line.isEmpty())
                .toList();
    }

    /** The C program shortens the GIDs of RoCE v2 as IPv6 addresses are shortened; both spell the same sixteen bytes. */
    private static String inFull(String line) {
        Matcher gid = GID.matcher(line);
        if (!gid.matches()) {
            return line;
        }
        try {
            return gid.group(1) + InetAddress.getByName(gid.group(2)).getHostAddress() + gid.group(3);
        } catch (UnknownHostException e) {
            throw new AssertionError(line, e);
        }
    }

    private static List<String> ours(String options) throws Exception {
        return lines(RunningCommand.run("devices " + options).success());
    }

    @Test
    void showsWhatTheCProgramShows() throws Exception {
        List<String> ours = ours("-v").stream().map(DevicesInteropIT::inFull).toList();
        List<String> theirs = lines(Program.run("ibv_devinfo", "-v")).stream()
                .filter(line -> !LEFT_OUT.matcher(line).matches())
                .map(DevicesInteropIT::inFull)
                .toList();
        assertThat(theirs).hasSizeGreaterThan(60);
        assertThat(ours).containsAll(theirs);
    }

    @Test
    void showsTheSameInShort() throws Exception {
        assertThat(ours("")).containsExactlyElementsOf(lines(Program.run("ibv_devinfo")));
    }

    @Test
    void printsJson() throws Exception {
        assertThat(ours("--json -v"))
                .singleElement()
                .asString()
                .startsWith("[{\"hca_id\":\"rxe0\",\"transport\":\"InfiniBand\"")
                .contains(
                        "\"max_qp\":1048560",
                        "\"MEM_WINDOW_TYPE_2B\"",
                        "\"ports\":[{\"port\":1,\"state\":\"PORT_ACTIVE\"");
    }
}
