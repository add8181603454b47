package net

import (
	"context"
	"internal/stringslite"
)

// dial would connect to a name server. There is none, unless the program brings
// its own; what /etc/hosts answers does not come here.
func (r *Resolver) dial(ctx context.Context, network, server string) (Conn, error) {
	if r == nil || r.Dial == nil {
		unsupported("network access to a name server")
	}
	c, err := r.Dial(ctx, network, server)
	if err != nil {
		return nil, mapErr(err)
	}
	return c, nil
}

func (r *Resolver) lookupHost(ctx context.Context, host string) (addrs []string, err error) {
	if neverExists(host) {
		return nil, newDNSError(errNoSuchHost, host, "")
	}
	order, conf := systemConf().hostLookupOrder(r, host)
	return r.goLookupHostOrder(ctx, host, order, conf)
}

func (r *Resolver) lookupIP(ctx context.Context, network, host string) (addrs []IPAddr, err error) {
	if neverExists(host) {
		return nil, newDNSError(errNoSuchHost, host, "")
	}
	order, conf := systemConf().hostLookupOrder(r, host)
	ips, _, err := r.goLookupIPCNAMEOrder(ctx, network, host, order, conf)
	return ips, err
}

// neverExists reports whether host is a name of RFC 6761, section 6.4: every
// name server answers that it does not exist.
func neverExists(host string) bool {
	host = stringslite.TrimSuffix(host, ".")
	return host == "invalid" || stringslite.HasSuffix(host, ".invalid")
}
