// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.testkit.model.ModelRdmaCm;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An event channel that cannot be made when its descriptor is open. */
class ChannelFailureTest {
    private final ModelRdmaCm model = new ModelRdmaCm();
    private final List<Object> open = new ArrayList<>();
    private final StackOverflowError error = new StackOverflowError("no channel");

    @Test
    void leavesNoDescriptor() {
        LinuxKernel real = LinuxKernel.of(model.kernel());
        Syscalls calls = (Syscalls) Proxy.newProxyInstance(
                Syscalls.class.getClassLoader(), new Class<?>[] {Syscalls.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("setNonBlocking") && open.contains(arguments[0])) {
                        throw error;
                    }
                    Object result = method.invoke(real.syscalls(), arguments);
                    if (method.getName().equals("open")) {
                        open.add(result);
                    }
                    if (method.getName().equals("close")) {
                        open.remove(arguments[0]);
                    }
                    return result;
                });
        LinuxKernel without = new LinuxKernel(calls, real.sysfs(), real.dev());
        assertThatThrownBy(() -> EventChannel.open(without)).isSameAs(error);
        assertThat(open).isEmpty();
    }
}
