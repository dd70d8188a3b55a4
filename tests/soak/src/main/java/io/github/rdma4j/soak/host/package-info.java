// SPDX-License-Identifier: Apache-2.0
/** The code that runs inside a process under test. */
@NullMarked
package io.github.rdma4j.soak.host;

import org.jspecify.annotations.NullMarked;
