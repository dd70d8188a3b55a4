// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.research.trace.CmMessageType.Field;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** tshark reads the same values from the messages of a capture; it decodes the fields of REQ, REP, RTU, REJ, DREQ and DREP. */
class TsharkTest {
    private static final Pattern FIELD = Pattern.compile(
            "<field name=\"infiniband\\.cm\\.[^\"]*\" showname=\"(?:[01. ]+ = )?([^:\"]+): [^\"]*\" size=\"\\d+\""
                    + " pos=\"\\d+\" show=\"([^\"]*)\"");

    /**
     * tshark 4.0 takes the flow label from three bytes, as if it were in the last 20 of 32 bits, and the packet rate from the
     * first of its four bytes.
     */
    private static final Set<String> MISREAD =
            Set.of("Primary Flow Label", "Primary Packet Rate", "Alternate Flow Label", "Alternate Packet Rate");

    private static List<String> tshark(Path capture, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("tshark", "-r", capture.toString(), "-Y", "infiniband.mad"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("status of tshark").isZero();
        return output.lines().toList();
    }

    /** By the names of the specification, which tshark uses as well; a name that comes twice is left out. */
    private static Map<String, String> numbers(List<String> lines) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String line : lines) {
            Matcher field = FIELD.matcher(line);
            if (field.find() && !field.group(2).contains(".") && !field.group(2).contains(":")) {
                fields.putIfAbsent(field.group(1), field.group(2));
            }
        }
        return fields;
    }

    private static List<Map<String, String>> packets(Path capture) throws Exception {
        List<Map<String, String>> packets = new ArrayList<>();
        List<String> packet = new ArrayList<>();
        for (String line : tshark(capture, "-T", "pdml")) {
            packet.add(line);
            if (line.equals("</packet>")) {
                packets.add(numbers(packet));
                packet.clear();
            }
        }
        return packets;
    }

    private static BigInteger number(String text) {
        return text.startsWith("0x") ? new BigInteger(text.substring(2), 16) : new BigInteger(text);
    }

    private static List<CmMad> mads(String sample) throws IOException {
        return Samples.trace(sample).messages().stream()
                .map(WireMessage::mad)
                .flatMap(Optional::stream)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"normal", "reject", "migrate"})
    void readsTheSameNumbers(String sample) throws Exception {
        List<CmMad> mads = mads(sample);
        List<Map<String, String>> packets = packets(Samples.directory(sample).resolve(Trace.CAPTURE));
        assertThat(packets).hasSameSizeAs(mads);
        for (int i = 0; i < mads.size(); i++) {
            CmMad mad = mads.get(i);
            Map<String, String> theirs = packets.get(i);
            int compared = 0;
            for (Field field : mad.type().fields()) {
                String value = theirs.get(field.name());
                if (!field.isBytes() && value != null && !MISREAD.contains(field.name())) {
                    BigInteger ours = new BigInteger(Long.toUnsignedString(mad.number(field)));
                    assertThat(ours).as(mad.type() + ", " + field.name()).isEqualTo(number(value));
                    compared++;
                }
            }
            assertThat(compared).as("fields of " + mad.type()).isGreaterThanOrEqualTo(leastCompared(mad.type()));
        }
    }

    /** So that names that do not match any more are noticed. */
    private static int leastCompared(CmMessageType type) {
        return switch (type) {
            case REQ -> 34;
            case REP -> 13;
            case REJ -> 5;
            case DREQ -> 3;
            default -> 2;
        };
    }

    /** The recording has the flow label too, in the kernel's answer to INIT_QP_ATTR. */
    @Test
    void readsTheFlowLabelThatTheKernelGaveTheQueuePair() throws Exception {
        CmMad request = mads("normal").get(0);
        assertThat(request.number("Primary Flow Label")).isEqualTo(0xc733c);
        assertThat(Files.readString(Samples.directory("normal").resolve("client")))
                .contains("3c730c00");
    }

    @Test
    void knowsTheSameMessages() throws Exception {
        List<String> names =
                tshark(Samples.directory("datagram").resolve(Trace.CAPTURE), "-T", "fields", "-e", "_ws.col.Info");
        assertThat(names).containsExactly("CM: ServiceIDResReq", "CM: ServiceIDResReqResp");
        assertThat(mads("datagram"))
                .extracting(CmMad::type)
                .containsExactly(CmMessageType.SIDR_REQ, CmMessageType.SIDR_REP);
    }
}
