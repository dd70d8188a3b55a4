// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;
