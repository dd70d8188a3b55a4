// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StandardOutputTest {
    @Test
    void writesAtOnce() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        StandardOutput out = new StandardOutput(new PrintStream(bytes, false, StandardCharsets.US_ASCII));
        out.print("a");
        out.flush();
        assertThat(bytes).hasToString("a");
    }

    @Test
    void saysThatNobodyReads() {
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int octet) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        StandardOutput out = new StandardOutput(new PrintStream(closed, false, StandardCharsets.US_ASCII));
        assertThatThrownBy(() -> out.println("a")).isInstanceOf(StandardOutput.ClosedException.class);
        assertThatThrownBy(() -> out.printf("a")).isInstanceOf(StandardOutput.ClosedException.class);
        assertThatThrownBy(out::flush).isInstanceOf(StandardOutput.ClosedException.class);
    }
}
