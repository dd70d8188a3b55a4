// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.util.MemoryUtils;
import com.ibm.disni.util.NativeAffinity;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaVerbs;
import io.github.rdma4j.internal.memory.NativeMemory;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The three classes that have the names of DiSNI's, as DiSNI uses them. */
class ReplacedClassesTest {
    @Test
    void disniMakesTheProviderOfThisJar() throws Exception {
        assertThat(RdmaVerbs.getVersion()).isEqualTo(32);
        assertThat(RdmaCm.open()).isInstanceOf(CmOverRdma4j.class);
        assertThat(RdmaVerbs.open()).isInstanceOf(VerbsOverRdma4j.class);
    }

    @Test
    void anAddressIsThatOfByteZero() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64).position(8);
        assertThat(MemoryUtils.getAddress(buffer)).isEqualTo(NativeMemory.address(buffer));
        assertThat(MemoryUtils.getAddress(buffer.slice())).isEqualTo(NativeMemory.address(buffer) + 8);
    }

    @Test
    void aBufferOnTheHeapHasNoAddress() {
        assertThatThrownBy(() -> MemoryUtils.getAddress(ByteBuffer.allocate(1)))
                .isInstanceOf(ClassCastException.class)
                .hasMessageContaining("on the heap");
    }

    @Test
    void aThreadStaysOnTheProcessorThatItIsGiven() throws Exception {
        CompletableFuture<Long> after = new CompletableFuture<>();
        long before = NativeAffinity.getAffinity();
        long first = Long.lowestOneBit(before);
        Thread thread = new Thread(() -> {
            NativeAffinity.setAffinity(first);
            NativeAffinity.setAffinity(0);
            NativeAffinity.setAffinity(-1);
            after.complete(NativeAffinity.getAffinity());
        });
        thread.start();
        assertThat(after.get(30, TimeUnit.SECONDS)).isEqualTo(first).isNotZero();
        assertThat(NativeAffinity.getAffinity()).isEqualTo(before);
    }
}
