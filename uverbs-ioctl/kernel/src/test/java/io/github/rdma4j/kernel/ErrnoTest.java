// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.junit.jupiter.api.Test;

class ErrnoTest {
    @Test
    void readsTheNegatedConvention() {
        assertThat(Errno.ofResult(-111)).isEqualTo(Errno.ECONNREFUSED);
        assertThat(Errno.ofResult(-111L).number()).isEqualTo(111);
    }

    @Test
    void namesNumberAndText() {
        assertThat(Errno.EADDRNOTAVAIL).hasToString("EADDRNOTAVAIL (99) Cannot assign requested address");
    }

    @Test
    void namesTheKernelsOwn524() {
        assertThat(new Errno(524).name()).isEqualTo("ENOTSUPP");
        assertThat(Errno.ENOTSUPP.number()).isEqualTo(524);
    }

    @Test
    void keepsAnUnknownNumber() {
        Errno unknown = Errno.ofResult(-4711);
        assertThat(unknown.number()).isEqualTo(4711);
        assertThat(unknown.name()).isEqualTo("errno 4711");
        assertThat(new ErrnoException("ioctl", unknown).errno()).isEqualTo(unknown);
        assertThat(new ErrnoException("ioctl", unknown)).hasMessage("ioctl: errno 4711 (4711) Unknown error 4711");
    }

    @Test
    void everyConstantHasTheNameOfItsNumber() throws Exception {
        for (Field field : Errno.class.getFields()) {
            if (Modifier.isStatic(field.getModifiers())) {
                assertThat(((Errno) field.get(null)).name()).isEqualTo(field.getName());
            }
        }
    }

    @Test
    void addsTheAdviceAsASentence() {
        assertThat(new ErrnoException("open /dev/x", Errno.EACCES, "Run as root."))
                .hasMessage("open /dev/x: EACCES (13) Permission denied. Run as root.");
    }
}
