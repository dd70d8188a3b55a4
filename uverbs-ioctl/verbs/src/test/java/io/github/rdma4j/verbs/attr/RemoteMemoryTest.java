// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class RemoteMemoryTest {
    private static final RemoteMemory MEMORY = new RemoteMemory(0x7f00_1234_5678_9000L, 0x8001_0203, 4096);
    private static final String BYTES = "7f00123456789000" + "0000000000001000" + "80010203";

    @Test
    void isWrittenInNetworkByteOrderAndReadBack() {
        assertThat(MEMORY.encode()).isEqualTo(HexFormat.of().parseHex(BYTES));
        assertThat(RemoteMemory.decode(MEMORY.encode())).isEqualTo(MEMORY);
    }

    @Test
    void bytesBehindItAreSomebodyElses() {
        assertThat(RemoteMemory.decode(HexFormat.of().parseHex(BYTES + "ff"))).isEqualTo(MEMORY);
    }

    @Test
    void refusesWhatIsNone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RemoteMemory.decode(new byte[19]))
                .withMessageContaining("20");
        assertThatIllegalArgumentException().isThrownBy(() -> new RemoteMemory(0, 0, -1));
    }

    @Test
    void hasAnAddressForEachOffsetUpToItsEnd() {
        assertThat(MEMORY.at(0)).isEqualTo(MEMORY.iova());
        assertThat(MEMORY.at(4096)).isEqualTo(MEMORY.iova() + 4096);
        assertThatThrownBy(() -> MEMORY.at(4097)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> MEMORY.at(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
